import Foundation

/// A function that checks properties of an input. A property that fails ends the process, and
/// libFuzzer reports that together with the input.
protocol FuzzTarget {
  static var name: String { get }
  static func run(_ input: [UInt8])
}

private let targets: [any FuzzTarget.Type] = [
  JSONTarget.self, JSONPeerTarget.self, SchemaTarget.self, DocumentTarget.self,
  IntrospectionTarget.self, ConfigurationTarget.self, ResponseTarget.self, RecordTarget.self,
  MultipartTarget.self, EventStreamTarget.self, WebSocketTarget.self,
]

private let target: any FuzzTarget.Type = {
  let name = ProcessInfo.processInfo.environment["FUZZ_TARGET"]
  if let found = targets.first(where: { $0.name == name }) { return found }
  fatalError("FUZZ_TARGET is one of \(targets.map { $0.name }.joined(separator: ", "))")
}()

@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzerTestOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  target.run(Array(UnsafeBufferPointer(start: bytes, count: count)))
  return 0
}

/// Ends the process if a property does not apply.
func require(_ condition: Bool, _ message: @autoclosure () -> String) {
  guard condition else { fatalError("does not hold: \(message())") }
}

extension [UInt8] {
  /// The input in pieces. Its first bytes determine their lengths, so that the fuzzer finds the
  /// places where a stream must not be split.
  var pieces: (whole: [UInt8], pieces: [[UInt8]]) {
    let cuts = prefix(4)
    let whole = Array(dropFirst(4))
    var pieces: [[UInt8]] = []
    var rest = whole[...]
    var turn = 0
    while !rest.isEmpty {
      let length = Swift.max(1, Int(cuts[turn % cuts.count]) % 32)
      pieces.append(Array(rest.prefix(length)))
      rest = rest.dropFirst(length)
      turn += 1
    }
    return (whole, pieces)
  }
}
