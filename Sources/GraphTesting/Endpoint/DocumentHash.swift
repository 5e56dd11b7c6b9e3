/// SHA-256 (FIPS 180-4) of documents. Not the client's own, so that each proves the other.
enum DocumentHash {
  /// The digest of a text's UTF-8 in lower-case hexadecimal digits.
  static func hexadecimal(_ text: String) -> String {
    digest(Array(text.utf8)).map { word in
      let digits = String(word, radix: 16)
      return String(repeating: "0", count: 8 - digits.count) + digits
    }.joined()
  }

  private static func digest(_ message: [UInt8]) -> [UInt32] {
    var bytes = message + [0x80]
    bytes += [UInt8](repeating: 0, count: (120 - bytes.count % 64) % 64)
    withUnsafeBytes(of: UInt64(message.count * 8).bigEndian) { bytes += $0 }
    var hash = roots(of: primes.prefix(8)) { $0.squareRoot() }
    for start in stride(from: 0, to: bytes.count, by: 64) {
      compress(bytes[start..<start + 64], into: &hash)
    }
    return hash
  }

  private static func compress(_ block: ArraySlice<UInt8>, into hash: inout [UInt32]) {
    var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { index in
      block[index..<index + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    for index in 16..<64 {
      let (first, second) = (words[index - 15], words[index - 2])
      let low = rotate(first, 7) ^ rotate(first, 18) ^ first >> 3
      let high = rotate(second, 17) ^ rotate(second, 19) ^ second >> 10
      words.append(words[index - 16] &+ low &+ words[index - 7] &+ high)
    }
    var state = hash
    for index in 0..<64 {
      let (a, e) = (state[0], state[4])
      let choice = e & state[5] ^ ~e & state[6]
      let majority = a & state[1] ^ a & state[2] ^ state[1] & state[2]
      let high = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)
      let low = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)
      let first = state[7] &+ high &+ choice &+ constants[index] &+ words[index]
      state.removeLast()
      state.insert(first &+ low &+ majority, at: 0)
      state[4] = state[4] &+ first
    }
    for index in 0..<8 { hash[index] = hash[index] &+ state[index] }
  }

  private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word >> count | word << (32 - count)
  }

  private static let primes: [Double] = (2...311).filter { number in
    (2..<number).allSatisfy { number % $0 != 0 }
  }.map(Double.init)

  private static let constants = roots(of: primes[...], exactCubeRoot)

  /// The first 32 bits of the roots' fractions.
  private static func roots(
    of primes: ArraySlice<Double>, _ root: (Double) -> Double
  ) -> [UInt32] {
    primes.map { prime in
      let value = root(prime)
      return UInt32((value - value.rounded(.down)) * 4_294_967_296)
    }
  }

  /// Newton's method; a double has 20 bits more than are needed.
  private static func exactCubeRoot(_ number: Double) -> Double {
    var root = number
    for _ in 0..<60 { root -= (root * root * root - number) / (3 * root * root) }
    return root
  }
}
