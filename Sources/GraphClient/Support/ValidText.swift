import Foundation

extension String {
  /// The text of bytes; nil if they are not UTF-8. `String(validating:as:)` needs macOS 15 or iOS 18.
  init?(validUTF8 bytes: some Collection<UInt8>) {
    var text = String(decoding: bytes, as: UTF8.self)
    // Errors were replaced by other characters.
    guard text.hasUTF8(bytes) else { return nil }
    self = text
  }

  // Safe: both pointers have as many bytes as are compared.
  private mutating func hasUTF8(_ bytes: some Collection<UInt8>) -> Bool {
    withUTF8 { own in
      let isEqual = bytes.withContiguousStorageIfAvailable { other in
        guard own.count == other.count else { return false }
        guard let first = own.baseAddress, let second = other.baseAddress else { return true }
        return unsafe memcmp(first, second, own.count) == 0
      }
      return unsafe isEqual ?? own.elementsEqual(bytes)
    }
  }
}
