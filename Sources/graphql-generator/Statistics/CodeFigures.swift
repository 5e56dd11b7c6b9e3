import GraphQLCodeGen

/// The amount of code in a generated module, and its estimated compile cost.
struct CodeFigures: Equatable {
  let files: Int
  let lines: Int
  let bytes: Int
  /// Functions, initialisers and accessors, with whose number compile time grows.
  let functions: Int
  /// Estimates of the CPU time of the compiler in seconds, over all cores.
  let debugSeconds: Double
  let releaseSeconds: Double

  init(_ generated: [GeneratedFile]) {
    files = generated.count
    bytes = generated.reduce(0) { $0 + $1.bytes.count }
    var lines = 0
    var functions = 0
    for file in generated {
      for line in file.contents.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      {
        lines += 1
        if Self.declaresFunction(line) { functions += 1 }
      }
    }
    self.lines = lines
    self.functions = functions
    debugSeconds = CompileCost.debug.seconds(functions: functions)
    releaseSeconds = CompileCost.release.seconds(functions: functions)
  }

  /// Whether a line starts a function, as emitters write it. The lines of the schema table end with
  /// a name or a mark of types, so none of them matches.
  private static func declaresFunction(_ line: Substring) -> Bool {
    let code = line.drop { $0 == " " }
    guard let end = code.utf8.last, !code.hasPrefix("//") else { return false }
    guard [UInt8(ascii: "{"), UInt8(ascii: "("), UInt8(ascii: "}")].contains(end) else {
      return false
    }
    if code.hasPrefix("set {") { return true }
    let words = code.split(separator: " ", maxSplits: 5)
    return words.contains { $0 == "func" || $0 == "var" || $0.hasPrefix("init(") }
  }
}
