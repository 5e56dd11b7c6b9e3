import Foundation

/// The number of bytes that are allocated and not freed; nil if the allocator is not glibc's.
///
/// The memory that the system has given to the process is not suitable: the allocator returns it
/// late, and in pages.
// Safe: `malloc_info` has this signature in every glibc, and the buffer outlives the stream.
func liveBytes() -> Int? {
  #if canImport(Glibc)
    // The module Glibc does not contain malloc.h.
    typealias Info = @convention(c) (Int32, UnsafeMutablePointer<FILE>) -> Int32
    guard let symbol = dlsym(dlopen(nil, RTLD_NOW), "malloc_info") else { return nil }
    var buffer = [CChar](repeating: 0, count: 1 << 20)
    let report = buffer.withUnsafeMutableBufferPointer { buffer -> String? in
      guard let stream = fmemopen(buffer.baseAddress, buffer.count, "w") else { return nil }
      let status = unsafeBitCast(symbol, to: Info.self)(0, stream)
      fclose(stream)
      return status == 0 ? buffer.baseAddress.map { String(cString: $0) } : nil
    }
    // The values of the whole heap follow those of its parts.
    guard let totals = report?.components(separatedBy: "</heap>").last else { return nil }
    func size(_ element: String) -> Int? {
      let attributes = totals.components(separatedBy: "<\(element)").dropFirst().first
      return attributes?.components(separatedBy: "size=\"").dropFirst().first
        .flatMap { Int($0.prefix { $0 != "\"" }) }
    }
    guard let system = size("system type=\"current\""), let mapped = size("total type=\"mmap\""),
      let fast = size("total type=\"fast\""), let rest = size("total type=\"rest\"")
    else { return nil }
    return system + mapped - fast - rest
  #else
    return nil
  #endif
}
