import Foundation
import GraphJSON

extension GraphQL {
  /// Any JSON value: the type of scalars without a Swift type of their own.
  public typealias JSON = GraphJSON.JSON

  /// The `URL` and `URI` scalars: a URL as of RFC 3986.
  public typealias URL = Foundation.URL
}
