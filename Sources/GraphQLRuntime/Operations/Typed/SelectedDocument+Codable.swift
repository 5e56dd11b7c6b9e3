import Foundation
import GraphJSON

// Fragments and the data of operations are coded as JSON by the response names: the object as it arrived, which may
// have the fields of other selections as well. Decoding checks it as a response is checked.
extension GraphQL.SelectedDocument {
  /// Encodes the object, for types that are declared to be `Codable`.
  public func encode(to encoder: any Encoder) throws {
    try JSON(parsing: Array(fields.debugDescription.utf8)).encode(to: encoder)
  }

  /// Decodes the object. If the document has `@include` or `@skip` with variables, their values are those of the
  /// `userInfo` under `CodingUserInfoKey.graphQLVariables`, a ``GraphQL/JSON`` object. Without a value, the fields count
  /// as selected.
  ///
  /// - Throws: `DecodingError`, with a ``GraphQL/FragmentMismatch``, for a field that is missing or has another type.
  public init(from decoder: any Decoder) throws {
    let variables = decoder.userInfo[.graphQLVariables] as? JSON ?? .object([:])
    let json = try JSON(from: decoder)
    do throws(GraphQL.FragmentMismatch) {
      try self.init(json: json, variables: variables)
    } catch {
      throw DecodingError.dataCorrupted(error, in: decoder)
    }
  }
}

extension CodingUserInfoKey {
  /// The values of the variables with which a typed operation or fragment is decoded: a ``GraphQL/JSON`` object. They
  /// count for `@include` and `@skip`.
  public static let graphQLVariables = CodingUserInfoKey(rawValue: "graphQLVariables")!
}
