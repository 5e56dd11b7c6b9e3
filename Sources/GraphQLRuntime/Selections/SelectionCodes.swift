extension GraphQL {
  /// The selections of one builder in order, a byte for each.
  ///
  /// Nearly all selections are fields of the builder's type without an alias. Such a field is its
  /// position in the table. The last sixteen bytes are here, so that adding a field changes two
  /// numbers; the words before them are in ``SelectionExtras``.
  struct SelectionCodes: Equatable {
    /// Fields at higher positions are described.
    static let maximumPosition = 253
    /// The field `__typename`.
    static let typename: UInt8 = 254
    /// A selection in ``SelectionExtras/details``; the first of these codes is the first of those.
    static let described: UInt8 = 255

    private(set) var count = 0
    /// The last one to eight codes; the first of them is in the lowest byte.
    private var last: UInt64 = 0
    /// The eight codes before them, if there are as many.
    private var previous: UInt64 = 0

    /// Adds a selection. Returns the eight codes for which there is no space left, if any.
    @inline(__always)
    mutating func append(_ code: UInt8) -> UInt64? {
      let offset = count & 7
      var full: UInt64?
      if offset == 0, count > 0 {
        if count > 8 { full = previous }
        previous = last
        last = 0
      }
      last |= UInt64(code) &<< UInt64(truncatingIfNeeded: offset &* 8)
      count += 1
      return full
    }

    /// The code of a selection.
    ///
    /// - Parameter words: those that ``append(_:)`` returned.
    func code(at place: Int, _ words: [UInt64]) -> UInt8 {
      let word =
        switch (count - 1) / 8 - place / 8 {
        case 0: last
        case 1: previous
        default: words[place / 8]
        }
      return UInt8(truncatingIfNeeded: word >> UInt64(place % 8 * 8))
    }
  }
}
