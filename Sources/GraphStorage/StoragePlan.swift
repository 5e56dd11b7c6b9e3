import GraphJSON
import GraphQLRuntime

extension GraphQL {
  /// How objects of one type with one selection are stored.
  // Safe: only this plan owns the memory of `names`; its keys and texts are those of `fields`.
  @safe package final class StoragePlan {
    /// The parts of a field that are needed to store a value, without retaining a reference for
    /// each.
    // Safe: its text is the field's, which the plan keeps alive.
    @unsafe package struct Name: BitwiseCopyable {
      package let key: JSONKey
      /// ``StorageField/member``.
      package let member: UnsafeBufferPointer<UInt8>
      /// Whether the value is stored unchanged, as soon as it arrives.
      package let isLeaf: Bool
    }

    /// The name of the type; that of the field's abstract type if the object's own is unknown.
    package let typeName: String
    package let typeNameBytes: [UInt8]
    /// Whether the type is one of the schema's object types.
    package let isObjectType: Bool
    package let fields: [StorageField]
    /// The same in the same order; valid as long as the plan is alive.
    package let names: UnsafeBufferPointer<Name>
    /// The response names of the key fields; nil if objects have no key, or it is not selected.
    package let keyFields: [[UInt8]]?
    /// Whether two fields have one storage key: they were selected under two response names.
    package let hasRepeatedKeys: Bool
    /// A bit for each of the first 64 fields that is a list of objects, and not a connection.
    package let lists: UInt64
    /// The start of an object's record: its bracket and its type.
    package let opening: [UInt8]
    private let positions: [[UInt8]: Int]

    init(typeName: String, isObjectType: Bool, fields: [StorageField], keyFields: [[UInt8]]?) {
      self.typeName = typeName
      typeNameBytes = Array(typeName.utf8)
      self.isObjectType = isObjectType
      self.fields = fields
      let names = UnsafeMutableBufferPointer<Name>.allocate(capacity: fields.count)
      _ = unsafe names.initialize(
        from: fields.map {
          unsafe Name(
            key: $0.key, member: UnsafeBufferPointer($0.memberText),
            isLeaf: !$0.isComposite && !$0.isTypename && !$0.isStreamed)
        })
      unsafe self.names = UnsafeBufferPointer(names)
      self.keyFields = keyFields
      opening = Array("{\"__typename\":\"\(typeName)\"".utf8)
      hasRepeatedKeys = Set(fields.map(\.storageKey)).count < fields.count
      lists = fields.prefix(64).enumerated().reduce(into: 0) { lists, field in
        let isList = field.element.isList && field.element.isComposite && field.element.page == nil
        lists |= isList ? 1 << UInt64(field.offset) : 0
      }
      positions = Dictionary(
        fields.enumerated().map { ($1.responseName, $0) }, uniquingKeysWith: { first, _ in first })
    }

    deinit { unsafe names.deallocate() }

    /// The field with that response name.
    package func position(of responseName: [UInt8]) -> Int? { positions[responseName] }

    /// The field for the key at `index`. The search starts at `hint`, as objects usually have their
    /// fields in the order of the plan, though some may be missing.
    // Safe: the caller keeps the document alive, and has the index from its tape.
    package func position(ofKeyAt index: Int, in json: JSONDocument, from hint: Int) -> Int? {
      let tape = unsafe json.memory
      var position = hint
      while position < min(fields.count, hint + 8) {
        if unsafe tape.matches(names[position].key, at: index) { return position }
        position += 1
      }
      return positions[Array(json.string(at: index).utf8)]
    }

    /// The key of the object at `index`; nil if one of its key fields is null or missing.
    package func key(of json: JSONDocument, at index: Int) -> EntityKey? {
      guard let keyFields, isObjectType else { return nil }
      return EntityKey(typeName: typeName, keyFields: keyFields, ofObjectAt: index, in: json)
    }
  }
}
