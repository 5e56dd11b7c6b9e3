import Foundation

/// A file whose data has the names and the indexes that a store needs.
struct PreparedFile {
  let file: StoreFile
  /// The renames that were applied to the data that the store writes.
  let renames: DeclaredRenames
  /// The outcome for data of another schema.
  let migrationReport: Graph.MigrationReport?
  /// The number of logouts in the file.
  let generation: UInt64
}

extension StoreFile {
  /// Opens the file, or creates it.
  ///
  /// - Parameters:
  ///   - limit: the maximum time to wait for others, here and later.
  ///   - policies: determines the indexes of the file.
  ///   - renames: the renames to apply to the file.
  /// - Throws: `newerFormat`, `foreignFile`, `unsafePath`, `file`, `database`, `busy`.
  static func open(
    _ url: URL, limit: Duration, recorder: SQLRecorder?, declaring policies: Policies,
    renames: [Graph.SchemaRename] = []
  ) throws(Graph.StoreError) -> PreparedFile {
    var attempts = 0
    while true {
      do throws(Graph.StoreError) {
        let file = try StoreFile(url, limit: limit, recorder: recorder)
        var report: Graph.MigrationReport?
        do throws(Graph.StoreError) {
          let isNew = try file.declare(policies, renames: renames)
          report = try file.migrationReport(policies, isNew: isNew)
        } catch {
          // The damage is recorded, and the readable parts of the file can still be read; the next
          // opening checks it.
          guard error.code == .corrupt else { throw error }
        }
        return PreparedFile(
          file: file, renames: DeclaredRenames(renames), migrationReport: report,
          generation: try file.generation())
      } catch {
        // If the file was moved aside just now, another one will be created.
        attempts += 1
        guard error.code == .replaced, attempts < 10 else { throw error }
      }
    }
  }
}
