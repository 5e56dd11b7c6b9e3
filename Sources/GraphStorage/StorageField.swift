import GraphJSON
import GraphQLRuntime

extension GraphQL {
  /// One field of a ``StoragePlan``.
  // Safe: only this plan owns the memory of the key and of the member's text, and frees it.
  @safe package final class StorageField {
    /// The key in the response, UTF-8.
    package let responseName: [UInt8]
    /// The field's name in the schema.
    package let name: String
    /// The key in a record, UTF-8.
    package let storageKey: [UInt8]
    /// The key in a record as JSON, with the colon after it.
    package let member: [UInt8]
    /// ``member`` at a fixed address.
    let memberText: UnsafeMutableBufferPointer<UInt8>
    /// ``responseName``, for finding it in a response.
    package let key: JSONKey
    /// Whether the field is `__typename`.
    package let isTypename: Bool
    /// Whether only the service knows if the field is selected: the object has a type that the schema lacks, and the
    /// field is in a fragment on another interface or union.
    package let isPossible: Bool
    /// Whether the field's value is a list.
    package let isList: Bool
    /// Whether the schema allows null for the field.
    package let isNullable: Bool
    /// Whether the field's value is an object, or a list of objects.
    package let isComposite: Bool
    /// Whether the field's list may arrive in parts.
    package let isStreamed: Bool
    /// The selected page, if the field is a connection that is kept page by page.
    package let page: Page?
    /// nil for `__typename`.
    let info: FieldInfo?
    /// The nested selection: empty for leaves and for plans of whole types.
    let sets: [SelectionSet]
    private unowned let planner: StoragePlanner
    private var plans: [Int: StoragePlan] = [:]
    /// The plan that an object of a response used last.
    private var last: StoragePlan?
    /// Whether the objects in the field may have several types.
    package let isAbstract: Bool

    init(
      responseName: [UInt8], name: String, storageKey: String, info: FieldInfo?,
      sets: [SelectionSet], page: Page?, isPossible: Bool, isStreamed: Bool, planner: StoragePlanner
    ) {
      self.responseName = responseName
      self.isPossible = isPossible
      self.isStreamed = isStreamed
      key = JSONKey(responseName)
      self.name = name
      self.storageKey = Array(storageKey.utf8)
      var member: [UInt8] = []
      JSONWriter.appendString(storageKey, to: &member)
      member.append(UInt8(ascii: ":"))
      self.member = member
      unsafe memberText = .allocate(capacity: member.count)
      _ = unsafe memberText.initialize(from: member)
      self.info = info
      self.page = page
      isTypename = info == nil
      isList = info.map { !$0.type.wrapping.isSingle } ?? false
      isNullable = info.map { !$0.type.isNonNull } ?? false
      isComposite = if case .composite? = info?.named { true } else { false }
      self.sets = sets
      self.planner = planner
      isAbstract =
        if case .composite(let position)? = info?.named {
          planner.schema.type(at: position).isAbstract
        } else {
          false
        }
    }

    deinit {
      unsafe key.deallocate()
      unsafe memberText.deallocate()
    }

    /// The plan for the object at `index` of a response, for its own type.
    package func plan(for json: JSONDocument, at index: Int) -> StoragePlan {
      // The objects of a list nearly always have one type.
      if let last {
        if !isAbstract { return last }
        if let position = json.member("__typename", of: index),
          json.stringEquals(position, last.typeNameBytes)
        {
          return last
        }
      }
      let plan = plan(typeName: {
        guard let position = json.member("__typename", of: index),
          json.kind(at: position) == .string
        else { return nil }
        return json.string(at: position)
      })
      last = plan
      return plan
    }

    /// The plan for an object of the type with that name; the name is needed if the schema has an
    /// abstract type.
    package func plan(typeName: () -> String?) -> StoragePlan {
      guard case .composite(let position)? = info?.named else {
        preconditionFailure("the leaf `\(name)` has no plan")
      }
      let declared = planner.schema.type(at: position)
      var type = declared
      if declared.isAbstract, let name = typeName(),
        let concrete = planner.schema.type(named: name), concrete.kind == .object,
        planner.schema.applies(declared.name, to: concrete)
      {
        type = concrete
      }
      if let known = plans[type.index] { return known }
      let plan = planner.plan(sets, of: type)
      plans[type.index] = plan
      return plan
    }
  }
}
