/// Commands in the server's protocol (RESP), in the order in which they are sent.
struct ValkeyCommands: Sendable {
  private(set) var bytes: [UInt8] = []
  /// The number of values that the server sends for them.
  private(set) var count = 0

  init() {}

  init(_ arguments: String...) { append(arguments) }

  mutating func append(_ arguments: String...) { append(arguments) }

  mutating func append(_ arguments: [String]) {
    begin(arguments.count, size: arguments.reduce(0) { $0 + $1.utf8.count })
    for argument in arguments { write(argument.utf8) }
  }

  mutating func append(_ arguments: [[UInt8]]) {
    begin(arguments.count, size: arguments.reduce(0) { $0 + $1.count })
    for argument in arguments { write(argument) }
  }

  /// - Parameter size: the number of bytes of the arguments.
  private mutating func begin(_ arguments: Int, size: Int) {
    count += 1
    // A command with its lengths is seldom longer, so that a second one needs no memory of its own.
    bytes.reserveCapacity(bytes.count + size + arguments * 16 + 16)
    write("*", arguments)
  }

  private mutating func write(_ argument: some Collection<UInt8>) {
    write("$", argument.count)
    bytes.append(contentsOf: argument)
    bytes.append(13)
    bytes.append(10)
  }

  mutating func append(contentsOf commands: ValkeyCommands) {
    bytes += commands.bytes
    count += commands.count
  }

  private mutating func write(_ mark: UnicodeScalar, _ length: Int) {
    bytes.append(UInt8(ascii: mark))
    bytes.append(contentsOf: String(length).utf8)
    bytes.append(13)
    bytes.append(10)
  }
}

extension [UInt8] {
  init(text: String) { self.init(text.utf8) }
}
