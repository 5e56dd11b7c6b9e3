import GraphJSON
import GraphQLCodeGen
import GraphQLSchema

/// The figures of a schema, for people and for programs.
struct StatsReport {
  let schema: SchemaFigures
  /// All code for the configuration, before pruning.
  let whole: CodeFigures
  /// nil unless the configuration prunes.
  let pruned: Pruned?

  /// The remaining code if only used members are generated.
  struct Pruned {
    let keptTypes: Int
    let droppedTypes: Int
    let keptFields: Int
    let droppedFields: Int
    let code: CodeFigures

    /// nil if the output is not pruned.
    init?(_ output: GeneratorPipeline.Output) {
      guard let pruning = output.pruning else { return nil }
      keptTypes = pruning.keptTypes.count
      droppedTypes = pruning.droppedTypes.count
      keptFields = pruning.keptFields.count
      droppedFields = pruning.droppedFields.count
      code = CodeFigures(output.files)
    }
  }

  var text: String {
    var lines = ["Schema: \(schema.types) types"]
    lines += [
      row("objects", schema.objects), row("interfaces", schema.interfaces),
      row("unions", schema.unions), row("enums", schema.enums),
      row("input objects", schema.inputObjects), row("scalars", schema.scalars),
      row("directives", schema.directives), row("fields", schema.fields),
      row("arguments", schema.arguments), row("input fields", schema.inputFields),
      row("enum values", schema.enumValues),
    ]
    lines.append("Generated code:")
    lines += rows(whole)
    if let pruned {
      lines.append(
        "With pruning: \(pruned.keptFields) of \(pruned.keptFields + pruned.droppedFields) fields "
          + "and \(pruned.keptTypes) of \(pruned.keptTypes + pruned.droppedTypes) types are kept")
      lines += rows(pruned.code)
    }
    return lines.joined(separator: "\n")
  }

  private func rows(_ code: CodeFigures) -> [String] {
    [
      row("files", code.files), row("lines", code.lines), row("bytes", code.bytes),
      row("functions", code.functions),
      "  compiling them takes about \(Self.shown(code.debugSeconds)) s of CPU for debug, "
        + "\(Self.shown(code.releaseSeconds)) s for release",
    ]
  }

  private func row(_ name: String, _ count: SchemaFigures.Count) -> String {
    row(name, count.all) + (count.deprecated > 0 ? ", \(count.deprecated) deprecated" : "")
  }

  private func row(_ name: String, _ number: Int) -> String {
    let digits = String(number)
    let space = String(repeating: " ", count: max(1, 24 - name.count - digits.count))
    return "  \(name)\(space)\(digits)"
  }

  private static func shown(_ seconds: Double) -> String {
    let tenths = Int((seconds * 10).rounded())
    return tenths < 100 ? "\(tenths / 10).\(tenths % 10)" : "\(Int(seconds.rounded()))"
  }
}

extension StatsReport {
  var json: JSON {
    var members: JSON.Object = ["schema": schema.json, "whole": whole.json]
    members["pruned"] = pruned?.json
    return .object(members)
  }
}

extension StatsReport.Pruned {
  fileprivate var json: JSON {
    [
      "keptTypes": JSON(keptTypes), "droppedTypes": JSON(droppedTypes),
      "keptFields": JSON(keptFields), "droppedFields": JSON(droppedFields), "code": code.json,
    ]
  }
}

extension CodeFigures {
  fileprivate var json: JSON {
    [
      "files": JSON(files), "lines": JSON(lines), "bytes": JSON(bytes),
      "functions": JSON(functions), "debugSeconds": Self.json(debugSeconds),
      "releaseSeconds": Self.json(releaseSeconds),
    ]
  }

  /// null for a value that JSON cannot express: an infinity.
  private static func json(_ seconds: Double) -> JSON {
    JSON.Number(seconds).map(JSON.number) ?? .null
  }
}

extension SchemaFigures {
  fileprivate var json: JSON {
    [
      "scalars": JSON(scalars), "objects": JSON(objects), "interfaces": JSON(interfaces),
      "unions": JSON(unions), "enums": JSON(enums), "inputObjects": JSON(inputObjects),
      "directives": JSON(directives), "fields": fields.json, "arguments": arguments.json,
      "inputFields": inputFields.json, "enumValues": enumValues.json,
    ]
  }
}

extension SchemaFigures.Count {
  fileprivate var json: JSON { ["all": JSON(all), "deprecated": JSON(deprecated)] }
}

/// The size of a schema, without built-in definitions.
struct SchemaFigures: Equatable {
  /// The number of elements and the number of deprecated ones.
  struct Count: Equatable {
    var all = 0
    var deprecated = 0

    fileprivate mutating func add(_ reason: String?) {
      all += 1
      if reason != nil { deprecated += 1 }
    }
  }

  var scalars = 0
  var objects = 0
  var interfaces = 0
  var unions = 0
  var enums = 0
  var inputObjects = 0
  var directives = 0
  /// Those of objects and interfaces.
  var fields = Count()
  /// Those of fields.
  var arguments = Count()
  var inputFields = Count()
  var enumValues = Count()

  init(_ schema: ServiceSchema) {
    directives = schema.directives.count
    for type in schema.types {
      switch type {
      case .scalar: scalars += 1
      case .object: objects += 1
      case .interface: interfaces += 1
      case .union: unions += 1
      case .enum(let type):
        enums += 1
        for value in type.values { enumValues.add(value.deprecationReason) }
      case .inputObject(let type):
        inputObjects += 1
        for field in type.fields { inputFields.add(field.deprecationReason) }
      }
      for field in type.fields?.elements ?? [] {
        fields.add(field.deprecationReason)
        for argument in field.arguments { arguments.add(argument.deprecationReason) }
      }
    }
  }

  var types: Int { scalars + objects + interfaces + unions + enums + inputObjects }
}

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

/// The compile cost of generated code.
///
/// Measured with Swift 6.3.1 on x86-64 Linux, user and system time of the compiler alone: the
/// module of Shopify's Storefront schema (3,311 functions as `CodeFigures` counts them) takes 7.2 s
/// in debug and 13.5 s in release (Documentation/Performance.md), which
/// `Benchmarks/Runtime/compile-cost --schema FILE` repeats. The numbers below are from an earlier run
/// and give 6.3 s and 15.2 s. Treat a result as the order of magnitude: processors differ more than
/// the shapes of schemas do.
enum CompileCost {
  case debug, release

  /// Seconds of CPU for 1,000 functions.
  private var secondsPerThousand: Double {
    switch self {
    case .debug: 1.9
    case .release: 4.6
    }
  }

  func seconds(functions: Int) -> Double { Double(functions) * secondsPerThousand / 1_000 }
}
