import GraphQLSchema

/// The operands and options of a command line with their values.
struct OptionValues {
  let subcommand: Subcommand
  /// One for each of `Subcommand.operands`, unless help is asked for.
  private(set) var operands: [String] = []
  private var values: [Option: [String]] = [:]

  /// `--name value`, `--name=value`, and for options with several values `--name value value`.
  init(_ arguments: ArraySlice<String>, of subcommand: Subcommand) throws(UsageError) {
    self.subcommand = subcommand
    var rest = arguments
    while let argument = rest.popFirst() {
      guard argument.hasPrefix("-") else {
        try takeOperand(argument)
        continue
      }
      let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      let option = try option(spelled: String(parts[0]))
      try take(option, inlineValue: parts.count == 2 ? String(parts[1]) : nil, from: &rest)
    }
  }

  private mutating func takeOperand(_ argument: String) throws(UsageError) {
    if operands.count < subcommand.operands.count { return operands.append(argument) }
    let advice =
      !subcommand.takesSecrets
      ? subcommand.operands.isEmpty ? "Specify schema files with --schema." : nil
      : has(.endpoint)
        ? "A header with its value is one argument: put it in quotes."
        : "Specify the URL of the service with --endpoint."
    throw UsageError(
      message: "\(shown(argument)) does not belong to an option.", suggestion: advice,
      subcommand: subcommand)
  }

  /// The written text, unless it may be part of a secret.
  private func shown(_ argument: String) -> String {
    subcommand.takesSecrets ? "One of the arguments" : quoted(argument)
  }

  private func option(spelled spelling: String) throws(UsageError) -> Option {
    if spelling == "-h" { return .help }
    let known = subcommand.options + [.help]
    if let option = known.first(where: { $0.spelling == spelling }) { return option }
    throw UsageError(
      message: subcommand.takesSecrets && !Self.isOptionName(spelling)
        ? "\(subcommand.rawValue) does not have one of the options."
        : "\(subcommand.rawValue) has no option \(quoted(spelling)).",
      suggestion: didYouMean(
        String(spelling.trimmingPrefix { $0 == "-" }), among: known.map(\.rawValue)),
      subcommand: subcommand)
  }

  /// Whether a text has the form of an option: `--`, and a short name of small letters and hyphens,
  /// which is not the form of a token.
  private static func isOptionName(_ text: String) -> Bool {
    text.hasPrefix("--") && text.utf8.count <= 18
      && text.utf8.allSatisfy { $0 == UInt8(ascii: "-") || $0 &- UInt8(ascii: "a") < 26 }
  }

  private mutating func take(
    _ option: Option, inlineValue: String?, from rest: inout ArraySlice<String>
  ) throws(UsageError) {
    var taken = inlineValue.map { [$0] } ?? []
    switch option.arity {
    case .none:
      guard taken.isEmpty else {
        throw UsageError(
          message: "\(option.spelling) does not take a value.", subcommand: subcommand)
      }
    case .one, .repeated:
      guard option.arity == .repeated || values[option] == nil else {
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
        message: "\(option.spelling) requires a value: \(option.placeholder ?? "").",
        subcommand: subcommand)
    }
    values[option, default: []] += taken
  }

  func has(_ option: Option) -> Bool { values[option] != nil }
  func first(_ option: Option) -> String? { values[option]?.first }
  func all(_ option: Option) -> [String] { values[option] ?? [] }

  func neededOperands() throws(UsageError) -> [String] {
    guard operands.count == subcommand.operands.count else {
      throw UsageError(
        message: "\(subcommand.operands[operands.count]) is required.", subcommand: subcommand)
    }
    return operands
  }

  func neededSchema() throws(UsageError) -> [String] {
    guard has(.schema) else {
      throw UsageError(message: "--schema FILE is required.", subcommand: subcommand)
    }
    return all(.schema)
  }

  func exclude(_ first: Option, _ second: Option) throws(UsageError) {
    if has(first), has(second) {
      throw UsageError(
        message: "\(first.spelling) and \(second.spelling) cannot be used together.",
        subcommand: subcommand)
    }
  }
}
