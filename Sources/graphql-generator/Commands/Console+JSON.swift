import GraphJSON

extension Console {
  /// A result for programs, on standard output.
  func write(_ json: JSON) throws(FileError) {
    var writer = JSONWriter(style: .indented(by: 2))
    writer.value(json)
    try write(writer.finish() + [UInt8(ascii: "\n")])
  }
}
