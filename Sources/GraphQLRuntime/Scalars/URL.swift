import Foundation
import GraphJSON

extension GraphQL {
  /// The `URL` and `URI` scalars: a URL as of RFC 3986.
  public typealias URL = Foundation.URL
}

extension Foundation.URL: GraphQL.Scalar {
  /// - Throws: ``GraphQL/ScalarMismatch`` for text that is no URL, or is only made one by encoding
  ///   characters that RFC 3986 does not allow.
  public init(scalar: GraphQL.JSON) throws {
    let expected = "a URL"
    let text = try scalar.text(expected)
    // Foundation mends what is not allowed in a URL; a server's value is taken as it is or not.
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }), !text.isEmpty,
      let url = URL(string: text)
    else { throw GraphQL.ScalarMismatch(expected: expected) }
    self = url
  }

  public var scalar: GraphQL.JSON { .string(absoluteString) }

  public static var placeholder: URL { URL(filePath: "/treeswift-probe") }
}
