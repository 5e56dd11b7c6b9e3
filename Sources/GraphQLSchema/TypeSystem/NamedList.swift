/// An element with a name: a definition, a member of one, or a reference to one.
public protocol NamedElement {
  /// The name, as it is written.
  var name: String { get }
  /// The position of the name.
  var nameRange: SourceRange { get }
}

/// Elements in the order in which they were written, found by name in constant time.
///
/// Duplicates are kept, so that validation can report them; lookups return the first one.
public struct NamedList<Element: NamedElement>: RandomAccessCollection {
  /// The elements, including duplicates.
  public let elements: [Element]
  /// Positions by name; nil for short lists, in which searching is faster than indexing.
  private let positions: [String: Int]?

  private static var longestSearched: Int { 8 }

  /// Indexes the elements by their names.
  public init(_ elements: [Element]) {
    self.elements = elements
    guard elements.count > Self.longestSearched else {
      positions = nil
      return
    }
    var positions = [String: Int](minimumCapacity: elements.count)
    for position in elements.indices.reversed() {
      positions[elements[position].name] = position
    }
    self.positions = positions
  }

  public var startIndex: Int { 0 }
  public var endIndex: Int { elements.count }
  public subscript(position: Int) -> Element { elements[position] }
  public func makeIterator() -> IndexingIterator<[Element]> { elements.makeIterator() }

  /// The first element with that name.
  public subscript(name: String) -> Element? {
    position(of: name).map { elements[$0] }
  }

  /// Whether there is an element with that name. Constant time.
  public func contains(name: String) -> Bool { position(of: name) != nil }

  /// Whether two elements have the same name.
  var hasDuplicates: Bool {
    if let positions { return positions.count < elements.count }
    return elements.indices.contains { position(of: elements[$0].name) != $0 }
  }

  /// The position of the first element with that name.
  // Safe: the array keeps its elements during the call; positions are below their count.
  func position(of name: String) -> Int? {
    if let positions { return positions[name] }
    // By pointer: the array's subscript gives a copy of all of an element.
    return unsafe elements.withUnsafeBufferPointer { elements in
      var position = 0
      while position < elements.count {
        if unsafe elements[position].name == name { return position }
        position += 1
      }
      return nil
    }
  }

  /// A part of the element at a position, without a copy of all of it.
  // Safe: the array keeps its elements during the call, and has one at the position.
  @inline(__always)
  func part<Part>(at position: Int, _ read: (UnsafePointer<Element>) -> Part) -> Part {
    precondition(position >= 0 && position < elements.count)
    return unsafe elements.withUnsafeBufferPointer { unsafe read($0.baseAddress! + position) }
  }
}

extension NamedList: ExpressibleByArrayLiteral {
  public init(arrayLiteral elements: Element...) { self.init(elements) }
}

extension NamedList: Sendable where Element: Sendable {}

extension NamedList: Equatable where Element: Equatable {
  public static func == (lhs: NamedList, rhs: NamedList) -> Bool { lhs.elements == rhs.elements }
}
