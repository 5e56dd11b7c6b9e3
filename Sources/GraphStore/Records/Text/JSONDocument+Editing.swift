import GraphJSON
import GraphQLRuntime
import GraphStorage

extension JSONDocument {
  /// The record with another value for one member, which is added if it is missing; without the
  /// member for nil.
  func replacing(_ name: [UInt8], with value: [UInt8]?) -> RecordText {
    let root = JSONDocument.rootIndex
    var bytes: [UInt8] = [UInt8(ascii: "{")]
    bytes.reserveCapacity(byteCount + 64)
    func append(_ key: ArraySlice<UInt8>, _ value: ArraySlice<UInt8>) {
      if bytes.count > 1 { bytes.append(UInt8(ascii: ",")) }
      bytes += key
      bytes.append(UInt8(ascii: ":"))
      bytes += value
    }
    var isFound = false
    var key = firstChild(of: root)
    while key < end(of: root) {
      let place = next(after: key)
      if stringEquals(key, name) {
        isFound = true
        if let value { append(source(at: key), value[...]) }
      } else {
        append(source(at: key), source(at: place))
      }
      key = next(after: place)
    }
    if !isFound, let value {
      var quoted: [UInt8] = []
      JSONWriter.appendString(String(decoding: name, as: UTF8.self), to: &quoted)
      append(quoted[...], value[...])
    }
    bytes.append(UInt8(ascii: "}"))
    return RecordText(bytes)
  }
}
