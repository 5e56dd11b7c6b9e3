import GraphJSON

extension Console {
  /// A result for programs, on standard output.
  func write(_ json: JSON) throws(FileError) {
    var writer = JSONWriter(style: .indented(by: 2))
    writer.value(json)
    try write(writer.finish() + [UInt8(ascii: "\n")])
  }
}

/// `1 error`, `2 errors`.
func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
