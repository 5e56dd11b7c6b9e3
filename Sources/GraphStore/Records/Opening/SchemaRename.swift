extension Graph {
  /// A name that the schema has changed, so that data stored under the old name is found under the
  /// new one.
  ///
  /// ```swift
  /// var configuration = Graph.Store.Configuration()
  /// configuration.renames = [
  ///   .type("OldShop", to: "Shop"),
  ///   .field("Product.descr", to: "Product.description"),
  ///   .enumValue("Color.GREY", to: "Color.GRAY"),
  /// ]
  /// ```
  ///
  /// The list is the history of the schema, the oldest change first: a later entry may rename a name
  /// again. Keep changes in the list as long as there may be files from before them.
  public struct SchemaRename: Sendable, Hashable, CustomStringConvertible {
    enum Kind: String, Sendable, Hashable {
      case type, field, enumValue
    }

    let kind: Kind
    let old: String
    let new: String

    private init(_ kind: Kind, _ old: String, _ new: String) {
      self.kind = kind
      self.old = old
      self.new = new
    }

    /// A type has another name, and so have its objects: their keys stay, and every link to them is
    /// updated.
    public static func type(_ old: String, to new: String) -> SchemaRename {
      SchemaRename(.type, old, new)
    }

    /// A field has another name. A field of an interface has it in every type that implements the
    /// interface.
    ///
    /// - Parameters:
    ///   - old: the field's coordinate, `Product.descr`.
    ///   - new: its current coordinate, in the same type.
    public static func field(_ old: String, to new: String) -> SchemaRename {
      SchemaRename(.field, old, new)
    }

    /// A value of an enum has another name, in fields, in their lists, and in arguments.
    ///
    /// - Parameters:
    ///   - old: the value's coordinate, `Color.GREY`.
    ///   - new: its current coordinate, in the same enum.
    public static func enumValue(_ old: String, to new: String) -> SchemaRename {
      SchemaRename(.enumValue, old, new)
    }

    /// `field Product.descr to Product.description`.
    public var description: String { "\(kind.rawValue) \(old) to \(new)" }
  }
}
