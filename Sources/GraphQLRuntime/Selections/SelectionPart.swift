extension GraphQL {
  /// The selections of a builder whose closure has returned, and which nothing else refers to.
  ///
  /// Parts are in the order in which their closures returned: those below a part are before it.
  struct SelectionPart {
    let codes: SelectionCodes
    /// The place of its field among the selections of the builder around it.
    let place: Int32
    /// The number of all parts below this one, plus one for itself.
    let size: Int32
    let extras: SelectionExtras?
  }

  /// All of a builder except plain fields. Most builders have none.
  final class SelectionExtras {
    /// The codes before the last sixteen.
    var words: [UInt64] = []
    /// The arguments of all fields, in the order in which they were added.
    private(set) var arguments: [PlacedArgument] = []
    var details: [SelectionDetails] = []
    /// The modifiers for the next selection.
    var pending: Modifiers?
    /// The builders that exist on their own, by the place of their field: those that were passed to
    /// ``AbstractQuery/addField(field:aliasSuffix:args:subfields:)``, and those that a closure has
    /// stored.
    var attached: [Int: AbstractQuery] = [:]
    /// Only of the builder of an operation.
    var header: OperationHeader?

    func append(_ argument: consuming PlacedArgument) {
      // Taken out while it changes, since that needs no check of accesses.
      var arguments: [PlacedArgument] = []
      swap(&arguments, &self.arguments)
      if arguments.isEmpty { arguments.reserveCapacity(4) }
      arguments.append(argument)
      swap(&arguments, &self.arguments)
    }
  }

  /// An argument, and the place of its field among the selections of the builder.
  struct PlacedArgument: Sendable {
    let place: Int
    let argument: Argument
  }

  /// The name and directives of an operation.
  struct OperationHeader {
    var name: String?
    var directives: [AppliedDirective]
  }
}
