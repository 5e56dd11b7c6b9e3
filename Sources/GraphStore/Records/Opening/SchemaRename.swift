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

/// The renames of a program, which it applies to all data in a file.
///
/// The first program that declares renames creates the table `schema_rename`. A store that writes to
/// a file whose ``AppliedRenames`` differ from its own renames notes this in the table. The next
/// program with renames then applies its renames again. So a program with an older schema may write
/// at any time.
struct DeclaredRenames: Sendable {
  let renames: [String]

  init(_ renames: [Graph.SchemaRename]) {
    self.renames = renames.map(\.description)
  }
}

/// The renames that were applied to a file, and so the names in its data. A file without the table
/// has the names of the oldest program.
struct AppliedRenames: Hashable, Sendable {
  /// The programs that have written data whose names may be different.
  enum Writers: Hashable, Sendable {
    /// All data has the names after the applied renames.
    case same
    /// Programs with this list of renames, or with a shorter one that is its beginning.
    case upTo([String])
    case unknown

    fileprivate init(_ list: [String], or other: [String]) {
      if list.starts(with: other) {
        self = .upTo(list)
      } else {
        self = other.starts(with: list) ? .upTo(other) : .unknown
      }
    }
  }

  /// The renames that were applied to all data; nil if another program has written since.
  let applied: [String]?
  let writers: Writers

  static let none = AppliedRenames(applied: [], writers: .same)

  /// Whether a program has no rename to apply. A program with an older list has nothing to apply
  /// either, but finds no data under its own names.
  func isDone(for declared: DeclaredRenames) -> Bool {
    applied?.starts(with: declared.renames) ?? false
  }

  /// The value after a program with the `declared` renames has written.
  func written(by declared: DeclaredRenames) -> AppliedRenames {
    if applied == declared.renames { return self }
    return AppliedRenames(applied: nil, writers: writers(and: declared.renames))
  }

  /// The value after a program has applied its renames.
  func migrated(by declared: DeclaredRenames, isComplete: Bool) -> AppliedRenames {
    AppliedRenames(
      applied: declared.renames, writers: isComplete ? .same : writers(and: declared.renames))
  }

  private func writers(and list: [String]) -> Writers {
    switch writers {
    case .same: Writers(applied ?? [], or: list)
    case .upTo(let known): Writers(known, or: list)
    case .unknown: .unknown
    }
  }

  /// The possible states of the data, as numbers of entries of a list.
  func states(in declared: DeclaredRenames) -> ClosedRange<Int> {
    let all = declared.renames
    switch writers {
    case .same:
      let applied = applied ?? []
      if all.starts(with: applied) { return applied.count...applied.count }
      // The oldest entries were removed from the list.
      if applied.suffix(all.count) == all[...] { return all.count...all.count }
    case .upTo(let known):
      if all.starts(with: known) { return 0...known.count }
    case .unknown: break
    }
    return 0...all.count
  }
}

// As text: the applied renames, one in a line. Otherwise the first line is `?` with the number of
// applied ones, `-` if there were others since, and `*` if the writers are unknown. The applied
// renames and those of the writers follow.
extension AppliedRenames {
  init(_ text: String) {
    var lines = text.split(separator: "\n").map(String.init)
    guard let first = lines.first, first.hasPrefix("?") else {
      self.init(applied: lines, writers: .same)
      return
    }
    lines.removeFirst()
    let count = Int(first.dropFirst().prefix { $0.isNumber }).map { min($0, lines.count) }
    self.init(
      applied: count.map { Array(lines.prefix($0)) },
      writers: first.hasSuffix("*") || first == "?"
        ? .unknown : .upTo(Array(lines.dropFirst(count ?? 0))))
  }

  var text: String {
    let applied = applied ?? []
    let first = "?" + (self.applied.map { "\($0.count)" } ?? "-")
    return switch writers {
    case .same: applied.joined(separator: "\n")
    case .upTo(let list): ([first] + applied + list).joined(separator: "\n")
    case .unknown: (["\(first)*"] + applied).joined(separator: "\n")
    }
  }
}

extension DatabaseConnection {
  private static let renamesTable = """
    CREATE TABLE IF NOT EXISTS schema_rename(renames TEXT NOT NULL, report TEXT NOT NULL) STRICT
    """

  /// The renames that were applied to the file, with the report; nil if there is no such table.
  func appliedRenames() throws(Graph.StoreError) -> (renames: AppliedRenames, report: String)? {
    guard try hasTable("schema_rename") else { return nil }
    return try rows("SELECT renames, report FROM schema_rename", []) {
      (renames: AppliedRenames($0.text(0)), report: $0.text(1))
    }.first
  }

  /// Records the renames that were applied to the file.
  func set(_ renames: AppliedRenames, report: String) throws(Graph.StoreError) {
    try executeOnce(Self.renamesTable)
    try execute("DELETE FROM schema_rename", [])
    try execute(
      "INSERT INTO schema_rename(renames, report) VALUES(?1, ?2)",
      [.text(renames.text), .text(report)])
  }

  /// Deletes the report, for a file without contents.
  func forgetMigrationReport() throws(Graph.StoreError) {
    guard let found = try appliedRenames() else { return }
    try set(found.renames, report: "")
  }

  /// Notes that a program with other renames writes. Called in a transaction, when others have
  /// written.
  func noteWrites(with declared: DeclaredRenames) throws(Graph.StoreError) {
    guard let found = try appliedRenames() else { return }
    let changed = found.renames.written(by: declared)
    if changed != found.renames { try set(changed, report: "") }
  }
}
