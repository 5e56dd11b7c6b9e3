/// The renames of a program, which it applies to all data in a file.
///
/// The first program that declares renames creates the table. A store that writes to a file with other
/// ``AppliedRenames`` notes that there: the next program with renames applies them again. So a program
/// with an older schema may write at any time.
struct DeclaredRenames: Sendable {
  static let table = """
    CREATE TABLE IF NOT EXISTS schema_rename(renames TEXT NOT NULL, report TEXT NOT NULL) STRICT
    """

  let renames: [String]

  init(_ renames: [Graph.SchemaRename]) {
    self.renames = renames.map(\.description)
  }
}
