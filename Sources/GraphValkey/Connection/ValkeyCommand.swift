/// Commands in the server's protocol (RESP), in the order in which they are sent.
struct ValkeyCommands: Sendable {
  private(set) var bytes: [UInt8] = []
  /// The number of values that the server sends for them.
  private(set) var count = 0

  init() {}

  init(_ arguments: String...) { append(arguments.map { Array($0.utf8) }) }

  mutating func append(_ arguments: String...) { append(arguments.map { Array($0.utf8) }) }

  mutating func append(_ arguments: [[UInt8]]) {
    bytes.reserveCapacity(bytes.count + arguments.reduce(16) { $0 + $1.count + 16 })
    writeLength("*", arguments.count)
    for argument in arguments {
      writeLength("$", argument.count)
      bytes += argument
      bytes += [13, 10]
    }
    count += 1
  }

  mutating func append(contentsOf commands: ValkeyCommands) {
    bytes += commands.bytes
    count += commands.count
  }

  private mutating func writeLength(_ mark: UnicodeScalar, _ length: Int) {
    bytes.append(UInt8(ascii: mark))
    bytes += Array(String(length).utf8)
    bytes += [13, 10]
  }
}

extension [UInt8] {
  init(text: String) { self.init(text.utf8) }
}
