import Foundation
import GraphJSON
import GraphQLRuntime

// Reads and writes a program's own types, independent of GraphQL, through the JSON of an object.

extension Graph.ObjectReading {
  /// A stored object as a value of the program's own type; nil if there is no such object.
  ///
  /// The properties of `model` have the names of the type's fields, unless its `CodingKeys` differ.
  /// The fields that it decodes must be stored; others are left out. <doc:UsingTheStore> has an
  /// example.
  ///
  /// - Parameter relations: how objects to which it leads are decoded.
  /// - Throws: `DecodingError`; ``StoreError``, in particular `notAnEntity`.
  public func model<Model: Decodable>(
    _ model: Model.Type, of type: GraphQL.AbstractResponse.Type, key: String,
    relations: Graph.JSONRelations = .keys, decoder: JSONDecoder = JSONDecoder()
  ) throws -> Model? {
    try json(of: type, key: key, relations: relations).map {
      try decoder.decode(model, from: Data($0.description.utf8))
    }
  }
}

extension Graph.Transaction {
  /// Stores a value of the program's own type, or a list of them; see
  /// ``write(json:as:mode:mapping:)``.
  ///
  /// - Throws: `EncodingError`; ``StoreError``.
  @discardableResult
  public func write<Model: Encodable>(
    model: Model, as type: GraphQL.AbstractResponse.Type, mode: Graph.JSONWriteMode = .upsert,
    mapping: Graph.JSONMapping = Graph.JSONMapping(), encoder: JSONEncoder = JSONEncoder()
  ) throws -> Graph.WriteSummary {
    try write(json: Array(encoder.encode(model)), as: type, mode: mode, mapping: mapping)
  }
}
