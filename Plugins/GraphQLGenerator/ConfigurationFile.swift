import Foundation

/// The part of `graphql-generator.json` that the plugins need before the tool runs. Other unreadable
/// values than the names of inputs keep their default: the tool reads the file as well, and reports
/// errors with their position.
struct ConfigurationFile {
  static let name = "graphql-generator.json"

  /// nil if there is no such file.
  private(set) var url: URL?
  private(set) var namespace = "API"
  /// The named files.
  private(set) var schema: [URL] = []
  /// Their paths in the configuration.
  private var schemaPaths: [String] = []
  private(set) var usage: Usage
  /// The folder of the generated files, outside of builds.
  private(set) var output: URL
  private var objectFileCount = 4
  /// The enum around the types of documents; nil if they are at the top level.
  private(set) var documentNamespace: String?
  /// Whether the generated types are internal, so that no other module can use them.
  private(set) var isInternal = false
  /// The module with the schema of the documents; nil if the plugin chooses it.
  private(set) var schemaModule: String?
  /// Files and folders with documents outside of the target's folder, as they are written.
  private(set) var documentPaths: [String] = []

  init(in folder: URL) throws {
    let url = folder.appending(path: Self.name)
    usage = try Usage(nil, in: url)
    // Not `folder`: without a slash at its end, it would not be the base of paths.
    let base = url.deletingLastPathComponent()
    output = base.appending(path: "Generated")
    guard let data = FileManager.default.contents(atPath: url.path) else { return }
    self.url = url
    let values = try Self.values(of: data, url)
    namespace = values["namespace"] as? String ?? namespace
    if let value = values["schema"] {
      guard let paths = value as? [String] ?? (value as? String).map({ [$0] }) else {
        throw ConfigurationProblem(url, #""schema" must be a path or a list of paths."#)
      }
      schemaPaths = paths
    }
    schema = schemaPaths.map { URL(filePath: $0, relativeTo: base).absoluteURL }
    usage = try Usage(values["pruning"], in: url)
    if let path = values["output"] as? String {
      output = URL(filePath: path, relativeTo: base).absoluteURL
    }
    isInternal = values["access"] as? String == "internal"
    let operations = values["operations"] as? [String: Any]
    documentNamespace = operations?["namespace"] as? String
    schemaModule = operations?["schemaModule"] as? String
    if let value = operations?["documents"] {
      guard let paths = value as? [String] else {
        throw ConfigurationProblem(url, #""documents" must be a list of paths."#)
      }
      documentPaths = paths
    }
    let layout = values["layout"] as? [String: Any]
    objectFileCount = min(64, max(1, layout?["files"] as? Int ?? objectFileCount))
  }

  private static func values(of data: Data, _ url: URL) throws -> [String: Any] {
    do {
      let values = try JSONSerialization.jsonObject(with: data) as? [String: Any]
      if let values { return values }
    } catch {
      let reason = (error as NSError).userInfo["NSDebugDescription"].map { ": \($0)" } ?? "."
      throw ConfigurationProblem(url, "This is not JSON\(reason)")
    }
    throw ConfigurationProblem(url, "An object is expected: { }.")
  }

  /// Throws if a named file does not exist.
  func checkSchema() throws {
    guard let url else { return }
    for (path, file) in zip(schemaPaths, schema) where file.isExistingFolder != false {
      throw ConfigurationProblem(url, "\"schema\" names \(path), and there is no such file.")
    }
  }

  /// Throws if documents of the module are outside of the folders whose files determine what is used.
  func checkUsage(of documents: [URL]) throws {
    guard let url, !usage.folders.isEmpty else { return }
    let unread = documents.filter { !usage.covers($0) }
    guard !unread.isEmpty else { return }
    let folders = Set(unread.map { usage.path(to: $0.deletingLastPathComponent()) }).sorted()
    throw ConfigurationProblem(
      url,
      "The module is pruned by usage, but documents of it are outside of the listed folders. Write "
        + "\(usage.pruning(with: folders)), or set \"pruning\": \"all\".")
  }

  /// The text that the tool compares with the configuration of the documents at the time of its run.
  var plannedDocuments: String {
    "documents: \(documentPaths), namespace: \(documentNamespace ?? "-"), "
      + "schemaModule: \(schemaModule ?? "-")"
  }

  /// The text that the tool compares with the configuration at the time of its run.
  var planned: String { "schema: \(schemaPaths), usage: \(usage.paths)" }

  var fileNames: [String] {
    let objects = (1...objectFileCount).map { "\(namespace).Objects\($0).swift" }
    return ["\(namespace).swift"] + objects
      + ["Interfaces", "Enums", "Inputs"].map { "\(namespace).\($0).swift" }
  }
}
