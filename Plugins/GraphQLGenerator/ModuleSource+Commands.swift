import Foundation
import PackagePlugin

extension ModuleSource {
  /// The commands for the schema of a target, if it has one, and for its documents, if there are any.
  ///
  /// They are separate, so that an edit of a document does not generate the schema's types again.
  static func commands(
    for module: DocumentModule, source: ModuleSource?, tool: URL, workFolder: URL
  ) throws -> [Command] {
    let documents = try DocumentSet(module, source: source)
    if let documents { try source?.configuration.checkUsage(of: documents.documents) }
    // A target without both gets the error about its schema.
    let source = documents == nil ? try source ?? ModuleSource(folder: module.folder) : source
    return [
      source?.command(target: module.name, tool: tool, workFolder: workFolder),
      documents?.command(target: module.name, tool: tool, workFolder: workFolder),
    ].compactMap(\.self)
  }
}
