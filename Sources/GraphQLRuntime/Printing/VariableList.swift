import GraphJSON

extension GraphQL {
  /// The variables of one document, in the order in which they are printed.
  ///
  /// A variable is named after its argument with its ordinal, so that equal values stay separate
  /// and the text does not depend on values. Fields that a server merges are printed with the same
  /// variables: see ``EqualFields``.
  struct VariableList {
    private let isCompact: Bool
    private var count = 0
    private var writer: ValueWriter
    /// The JSON object, once ``end()`` was called.
    private(set) var json: [UInt8] = []
    private(set) var uploads: [(path: String, upload: Upload)] = []
    /// `$first1: Int, $after2: String`.
    private(set) var definitions: [UInt8] = []

    /// - Parameter isCompact: whether the definitions are written without spaces.
    init(isCompact: Bool, schema: SchemaTable?) {
      self.isCompact = isCompact
      writer = ValueWriter(.json, schema: schema)
    }

    mutating func end() { json = writer.takeMembers() }

    /// Adds a variable for an argument, and returns its name and the problems with its value.
    mutating func add(
      _ argument: Argument, as info: ArgumentInfo
    ) -> (name: String, problems: [String]) {
      count += 1
      if count == 1 { definitions.reserveCapacity(Self.usualSize) }
      var name = argument.name
      // Names stay distinct because of their ordinals, as long as those can be distinguished from
      // the names.
      if let last = name.utf8.last, Name.isDigit(last) { name += "_" }
      name += String(count)
      if count > 1 { separate(UInt8(ascii: ",")) }
      definitions.append(UInt8(ascii: "$"))
      definitions += name.utf8
      separate(UInt8(ascii: ":"))
      definitions += info.type.text.utf8
      writer.member(variable: name)
      writer.write(argument, as: info)
      guard let found = writer.takeFindings() else { return (name, []) }
      uploads += found.uploads.map { upload in
        let path = ["variables", name, upload.path].filter { !$0.isEmpty }
        return (path.joined(separator: "."), upload.upload)
      }
      return (name, found.problems.map { "argument `\(argument.name)`: \($0)" })
    }

    /// Enough for the definitions of most operations.
    private static let usualSize = 256

    private mutating func separate(_ byte: UInt8) {
      definitions.append(byte)
      if !isCompact { definitions.append(UInt8(ascii: " ")) }
    }
  }
}
