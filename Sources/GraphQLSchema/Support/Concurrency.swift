import Dispatch

/// Work that the processors share.
package enum Concurrency {
  /// How many documents a thread takes at a time.
  package static let documentsPerPart = 64

  /// The results for parts of the elements, in their order.
  ///
  /// - Parameters:
  ///   - size: How many elements a part has; the last one may have fewer.
  ///   - body: Called for several parts at the same time.
  // Safe: each call fills a place of its own, and all have returned before the array exists.
  package static func map<Element: Sendable, Result: Sendable>(
    _ elements: [Element], partsOf size: Int, _ body: @Sendable (ArraySlice<Element>) -> Result
  ) -> [Result] {
    let count = (elements.count + size - 1) / size
    return unsafe Array(unsafeUninitializedCapacity: count) { results, initializedCount in
      nonisolated(unsafe) let results = unsafe results
      DispatchQueue.concurrentPerform(iterations: count) { number in
        let part = elements.dropFirst(number * size).prefix(size)
        unsafe results.initializeElement(at: number, to: body(part))
      }
      initializedCount = count
    }
  }
}
