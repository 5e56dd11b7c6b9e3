import GraphJSON
import GraphQLRuntime
import GraphStorage

/// The part of a connection's head on which a page depends. The head changes with every page that is added. While this and
/// the rows of the page are the same, so is the page.
struct ConnectionShape: Sendable, Equatable {
  let requested: GraphQL.Page
  /// The rows of the page, in the order in which they are read.
  let pageNumbers: [PageNumber]
  private let skip: Int
  private let fields: [UInt8]
  /// The end of the segment from which the page is read, which decides whether something precedes the page.
  private let near: End
  /// The other end; nil if the segment continues after the page.
  private let far: End?

  private struct End: Equatable {
    let cursor: ExactKey?
    let continues: Bool?
  }

  /// - Parameters:
  ///   - skip: the number of nodes of the first row that are not in the page.
  ///   - pageCount: the number of rows that were read.
  init(
    of requested: GraphQL.Page, _ head: ConnectionHead, _ segment: ConnectionSegment,
    from first: PageNumber, skip: Int, pageCount: Int
  ) {
    let isBackward = requested.isBackward
    var numbers = [first]
    var next = segment.next(first, backward: isBackward)
    while numbers.count < pageCount, let number = next {
      numbers.append(number)
      next = segment.next(number, backward: isBackward)
    }
    let start = End(cursor: segment.start, continues: segment.hasPrevious)
    let end = End(cursor: segment.end, continues: segment.hasNext)
    self.requested = requested
    self.skip = skip
    pageNumbers = numbers
    fields = head.fields
    near = isBackward ? end : start
    far = next == nil ? (isBackward ? start : end) : nil
  }
}
