import Foundation
import GraphJSON
import GraphQLRuntime
import GraphStorage

extension Graph {
  /// Reads objects: ``Store`` reads the committed state, ``Transaction`` also its own changes.
  ///
  /// The returned values are immutable and Sendable.
  public protocol ObjectReading {
    /// Reads the records. Only the store creates one.
    var _reader: ObjectReader { get }
  }

  /// The records that an ``ObjectReading`` reads.
  public struct ObjectReader {
    let policies: Policies
    let reading: any RecordReading
  }
}

extension Graph.ObjectReading {
  /// The object of a type with a key; nil if there is none.
  ///
  /// It has the fields that were ever stored for it; call `has(_:)` before you read one that may
  /// not have been. Stored links to other objects are followed when they are first read.
  ///
  /// - Parameters:
  ///   - type: a generated class for an object type.
  ///   - key: the value of the type's key field; see ``/GraphQLRuntime/GraphQL/EntityKey/key``.
  /// - Throws: ``StoreError``, in particular `notAnEntity`.
  public func object<Object: GraphQL.AbstractResponse>(
    _ type: Object.Type, key: String
  ) throws(Graph.StoreError) -> Object? {
    let reader = _reader
    let key = try reader.policies.key(type, key)
    // Every read of a value checks its form, so the record as a whole needs no check.
    if let text = try reader.reading.text(of: key) {
      return text.object(of: type, links: reader.reading.links)
    }
    return try reader.reading.record(key).map { reader.object($0) }
  }

  /// The object of a type with that ID; see ``object(_:key:)``.
  public func object<Object: GraphQL.AbstractResponse>(
    _ type: Object.Type, id: GraphQL.ID
  ) throws(Graph.StoreError) -> Object? {
    try object(type, key: id.rawValue)
  }

  /// The objects with those keys, with nil in place of each missing one. They are from one
  /// snapshot.
  ///
  /// - Throws: ``StoreError``, in particular `notAnEntity`.
  public func objects<Object: GraphQL.AbstractResponse>(
    _ type: Object.Type, keys: [String]
  ) throws(Graph.StoreError) -> [Object?] {
    let reader = _reader
    let typeName = try reader.policies.typeName(of: type)
    return try reader.reading.withRecords { source throws(Graph.StoreError) in
      let links = reader.reading.links
      var objects: [Object?] = []
      objects.reserveCapacity(keys.count)
      for key in keys {
        let key = GraphQL.EntityKey(typeName: typeName, key: key)
        objects.append(try source.record(key).map { Object._stored($0, links: links) })
      }
      return objects
    }
  }

  /// Whether there is an object of a type with a key.
  ///
  /// - Throws: ``StoreError``, in particular `notAnEntity`.
  public func contains(
    _ type: GraphQL.AbstractResponse.Type, key: String
  ) throws(Graph.StoreError) -> Bool {
    try _reader.reading.record(try _reader.policies.key(type, key)) != nil
  }

  /// The number of objects of a type.
  ///
  /// - Throws: ``StoreError``, in particular `notAnEntity`.
  public func count(of type: GraphQL.AbstractResponse.Type) throws(Graph.StoreError) -> Int {
    let name = try _reader.policies.typeName(of: type)
    return try _reader.reading.withRecords { source throws(Graph.StoreError) in
      try source.count(ofType: name)
    }
  }

  /// The response to a query, assembled from one snapshot of the stored data; or the missing parts.
  ///
  /// - Parameter operation: a query that was built with the store's schema.
  /// - Throws: ``StoreError``, in particular `wrongSchema`.
  public func read<Root>(
    _ operation: GraphQL.Operation<Root>
  ) throws(Graph.StoreError) -> Graph.StoredResponse<Root> {
    try _reader.reading.withRecords { source throws(Graph.StoreError) in try source.read(operation)
    }
  }
}

extension Graph.ObjectReading {
  /// The object with a key as a fragment of a document, read from one snapshot; or the parts of it that are not
  /// stored.
  ///
  /// - Parameters:
  ///   - fragment: a generated struct.
  ///   - typeName: the object's type; it may be left out if the fragment is on an object type.
  ///   - key: the value of the type's key field; see ``/GraphQLRuntime/GraphQL/EntityKey/key``.
  ///   - variables: the values of the variables that the fragment uses, by their names.
  /// - Throws: ``StoreError``, in particular `wrongSchema`, and `notAnEntity` if the type is not an object type to
  ///   which the fragment applies.
  public func read<Fragment: GraphQL.TypedFragment>(
    _ fragment: Fragment.Type, typeName: String? = nil, key: String,
    variables: GraphQL.JSON = .object([:])
  ) throws(Graph.StoreError) -> Graph.StoredResponse<Fragment> {
    let (key, fragmentReader) = try fragmentReader(fragment, typeName, key, variables)
    return try read(fragment, key, fragmentReader)
  }

  /// The parts of reading an object as a fragment that do not depend on its state.
  func fragmentReader<Fragment: GraphQL.TypedFragment>(
    _ fragment: Fragment.Type, _ typeName: String?, _ key: String, _ variables: GraphQL.JSON
  ) throws(Graph.StoreError) -> (GraphQL.EntityKey, GraphQL.FragmentReader) {
    let schema = _reader.policies.schema
    let fragmentReader = GraphQL.FragmentReader(Fragment._document(), variables: variables)
    guard fragmentReader.schema === schema else {
      throw Graph.StoreError(.wrongSchema, "\(fragment) is not a fragment of \(schema.name)")
    }
    let typeName = typeName ?? fragmentReader.typeName
    guard fragmentReader.applies(toObjectsOf: typeName) else {
      throw Graph.StoreError(
        .notAnEntity,
        "\(fragment) is on \(fragmentReader.typeName), and \(typeName) is not an object type of it; "
          + "pass the name of the object's type")
    }
    return (GraphQL.EntityKey(typeName: typeName, key: key), fragmentReader)
  }

  func read<Fragment: GraphQL.TypedFragment>(
    _ fragment: Fragment.Type, _ key: GraphQL.EntityKey, _ fragmentReader: GraphQL.FragmentReader
  ) throws(Graph.StoreError) -> Graph.StoredResponse<Fragment> {
    try _reader.reading.withRecords { source throws(Graph.StoreError) in
      try source.read(fragment, key, fragmentReader)
    }
  }
}

extension Graph.ObjectReader {
  func object<Object: GraphQL.AbstractResponse>(_ record: JSONDocument) -> Object {
    // Every read of a value checks its form, so the record as a whole needs no check.
    Object._stored(record, links: reading.links)
  }
}

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

extension Graph.Transaction: Graph.ObjectReading {
  public var _reader: Graph.ObjectReader { Graph.ObjectReader(policies: policies, reading: self) }
}

extension Graph.Transaction {
  /// The known state of an object, without expected changes: fields by their names, relations by
  /// keys; nil if there is none.
  package func knownState(of key: GraphQL.EntityKey) throws(Graph.StoreError) -> JSON? {
    try checkOpen()
    guard let record = try base(key) else { return nil }
    var serializer = ObjectSerializer(source: self, relations: .keys)
    return .object(try serializer.entity(key, JSONDocument.rootIndex, in: record))
  }

  /// Whether a type of the schema has a field.
  package func hasField(_ field: String, of typeName: String) -> Bool {
    planner.plan(ofType: typeName)?.position(of: Array(field.utf8)) != nil
  }
}
