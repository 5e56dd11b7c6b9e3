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
