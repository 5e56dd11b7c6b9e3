import Foundation

/// The memory and the descriptors of this process, as Linux reports them.
struct Meter: CustomStringConvertible {
  private var memory: [Int] = []
  private var descriptors: [Int] = []

  mutating func measure() {
    let statm = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)
    let pages = statm?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    memory.append(pages * 4096)
    let open = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
    descriptors.append(open?.count ?? 0)
  }

  private static func ends(_ values: [Int]) -> (first: Int, last: Int) {
    let quarter = max(values.count / 4, 1)
    func median(_ part: ArraySlice<Int>) -> Int { part.sorted()[part.count / 2] }
    return (median(values.prefix(quarter)), median(values.suffix(quarter)))
  }

  /// The growth. The sanitizer's own memory grows, so with it only descriptors count.
  var growth: String? {
    let (memory, descriptors) = (Self.ends(memory), Self.ends(descriptors))
    // Pools and caches fill in the first seconds, which are most of the first quarter of a short
    // run.
    let allowed = memory.first + max(memory.first / 4, 24 << 20)
    let isSanitized = ProcessInfo.processInfo.environment["TSAN_OPTIONS"] != nil
    if memory.last > allowed, !isSanitized { return "memory grows: \(self)" }
    if descriptors.last > descriptors.first + 32 { return "descriptors are left open: \(self)" }
    return nil
  }

  var description: String {
    let (memory, descriptors) = (Self.ends(memory), Self.ends(descriptors))
    return "\(memory.first >> 20) and \(memory.last >> 20) MB, "
      + "\(descriptors.first) and \(descriptors.last) descriptors"
  }
}
