import GraphQLSchema

/// Reads the arguments of the process.
enum CommandLineReader {
  static func command(from arguments: [String]) throws(UsageError) -> Command {
    guard let first = arguments.first else {
      throw UsageError(message: "A subcommand is needed: \(subcommandList).")
    }
    switch first {
    case "--help", "-h", "help": return .help(arguments.dropFirst().first.flatMap(Subcommand.init))
    case "--version": return .version
    default: break
    }
    guard let subcommand = Subcommand(rawValue: first) else {
      throw UsageError(
        message: "There is no subcommand \(quoted(first)); there are \(subcommandList).",
        suggestion: didYouMean(first, among: Subcommand.allCases.map(\.rawValue)))
    }
    let values = try OptionValues(arguments.dropFirst(), of: subcommand)
    if values.has(.help) { return .help(subcommand) }
    return switch subcommand {
    case .generate: .generate(try generate(values))
    case .validate: .validate(ValidateOptions(schema: try values.neededSchema()))
    case .print: .print(try print(values))
    }
  }

  private static let subcommandList =
    Subcommand.allCases.map(\.rawValue).joined(separator: ", ")

  private static func generate(_ values: OptionValues) throws(UsageError) -> GenerateOptions {
    try values.exclude(.check, .dryRun)
    return GenerateOptions(
      schema: values.all(.schema), config: values.first(.config), output: values.first(.output),
      namespace: values.first(.namespace), fileNames: values.all(.fileNames),
      mode: values.has(.check) ? .check : values.has(.dryRun) ? .dryRun : .write,
      listsDropped: values.has(.listDropped), isQuiet: values.has(.quiet))
  }

  private static func print(_ values: OptionValues) throws(UsageError) -> PrintOptions {
    try values.exclude(.sdl, .introspection)
    return PrintOptions(
      schema: try values.neededSchema(), form: values.has(.introspection) ? .introspection : .sdl,
      output: values.first(.output))
  }
}

/// The options of a command line with their values.
private struct OptionValues {
  private let subcommand: Subcommand
  private var values: [Option: [String]] = [:]

  /// `--name value`, `--name=value`, and for options with several values `--name value value`.
  init(_ arguments: ArraySlice<String>, of subcommand: Subcommand) throws(UsageError) {
    self.subcommand = subcommand
    var rest = arguments
    while let argument = rest.popFirst() {
      guard argument.hasPrefix("-") else {
        throw UsageError(
          message: "\(quoted(argument)) belongs to no option.",
          suggestion: "Schema files are named with --schema.", subcommand: subcommand)
      }
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let option = try option(spelled: String(parts[0]))
      try take(option, inlineValue: parts.count == 2 ? String(parts[1]) : nil, from: &rest)
    }
  }

  private func option(spelled spelling: String) throws(UsageError) -> Option {
    if spelling == "-h" { return .help }
    let known = subcommand.options + [.help]
    if let option = known.first(where: { $0.spelling == spelling }) { return option }
    throw UsageError(
      message: "\(subcommand.rawValue) has no option \(quoted(spelling)).",
      suggestion: didYouMean(
        String(spelling.trimmingPrefix { $0 == "-" }), among: known.map(\.rawValue)),
      subcommand: subcommand)
  }

  private mutating func take(
    _ option: Option, inlineValue: String?, from rest: inout ArraySlice<String>
  ) throws(UsageError) {
    var taken = inlineValue.map { [$0] } ?? []
    switch option.arity {
    case .none:
      guard taken.isEmpty else {
        throw UsageError(message: "\(option.spelling) takes no value.", subcommand: subcommand)
      }
    case .one:
      guard values[option] == nil else {
        throw UsageError(message: "\(option.spelling) is given twice.", subcommand: subcommand)
      }
      if taken.isEmpty, let next = rest.first, !next.hasPrefix("-") {
        taken.append(next)
        rest.removeFirst()
      }
    case .several:
      while inlineValue == nil, let next = rest.first, !next.hasPrefix("-") {
        taken.append(next)
        rest.removeFirst()
      }
    }
    if option.arity != .none, taken.allSatisfy(\.isEmpty) {
      throw UsageError(
        message: "\(option.spelling) needs a value: \(option.placeholder ?? "").",
        subcommand: subcommand)
    }
    values[option, default: []] += taken
  }

  func has(_ option: Option) -> Bool { values[option] != nil }
  func first(_ option: Option) -> String? { values[option]?.first }
  func all(_ option: Option) -> [String] { values[option] ?? [] }

  func neededSchema() throws(UsageError) -> [String] {
    guard has(.schema) else {
      throw UsageError(message: "--schema FILE is needed.", subcommand: subcommand)
    }
    return all(.schema)
  }

  func exclude(_ first: Option, _ second: Option) throws(UsageError) {
    if has(first), has(second) {
      throw UsageError(
        message: "\(first.spelling) and \(second.spelling) exclude each other.",
        subcommand: subcommand)
    }
  }
}
