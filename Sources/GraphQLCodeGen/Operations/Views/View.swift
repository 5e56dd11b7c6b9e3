import GraphQLSchema

/// The content of one generated struct: selection sets of one object, merged. The position of an entry is
/// its slot. The runtime computes the same views from the text, so the rules of `ViewBuilder` are a
/// contract: a checksum in the generated code confirms that both agree.
final class View {
  /// Types that the object certainly has; the last is the narrowest.
  let known: [NamedType]
  let entries: [Entry]

  init(known: [NamedType], entries: [Entry]) {
    self.known = known
    self.entries = entries
  }

  /// The narrowest type.
  var type: NamedType { known[known.count - 1] }

  /// A class, as `Field`: entries are passed through all of the planning, and a copy of a definition of
  /// the schema counts a dozen references.
  final class Entry {
    let kind: Kind
    /// Whether it is part of every response that has the object.
    let isUnconditional: Bool
    /// The object that it leads to; nil for leaves and for named fragments, which have their own view.
    let child: View?
    /// Set if all of it may come later: the fields of a fragment, or the items of a list.
    let delivery: Delivery?
    /// Whether a struct has a property for it. Fields and fragments that were added to the document have a slot only, and
    /// so has what is impossible: no object type has all types of the view and that of the fragment.
    let isReadable: Bool

    init(kind: Kind, isUnconditional: Bool, child: View?, delivery: Delivery?, isReadable: Bool) {
      self.kind = kind
      self.isUnconditional = isUnconditional
      self.child = child
      self.delivery = delivery
      self.isReadable = isReadable
    }
  }

  enum Kind {
    case field(Field)
    /// An inline fragment with a type condition that is not certain.
    case condition(String)
    /// An inline fragment with `@defer`.
    case deferred(Delivery)
    /// A named fragment. Its fields are not part of this view.
    case fragment(String, isCertain: Bool)
    /// A field that none of the types has. Only views of impossible entries have such fields.
    case unknownField(key: String)
  }

  final class Field {
    let key: String
    let name: String
    let type: TypeReference
    /// The type that defines the field.
    let owner: NamedType
    /// Whether reading it throws its error.
    let isCaught: Bool

    init(
      key: String, name: String, type: TypeReference, owner: NamedType, isCaught: Bool
    ) {
      self.key = key
      self.name = name
      self.type = type
      self.owner = owner
      self.isCaught = isCaught
    }
  }
}
