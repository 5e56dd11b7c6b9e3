// The functions that the accessors of generated classes call for scalars, enums and lists of them.
extension GraphQL.AbstractResponse {
  public final func _string(_ name: StaticString, _ alias: String? = nil) -> String {
    known(name, alias)
  }

  public final func _stringOpt(_ name: StaticString, _ alias: String? = nil) -> String? {
    known(name, alias)
  }

  public final func _int(_ name: StaticString, _ alias: String? = nil) -> Int {
    known(name, alias)
  }

  public final func _intOpt(_ name: StaticString, _ alias: String? = nil) -> Int? {
    known(name, alias)
  }

  public final func _double(_ name: StaticString, _ alias: String? = nil) -> Double {
    known(name, alias)
  }

  public final func _doubleOpt(_ name: StaticString, _ alias: String? = nil) -> Double? {
    known(name, alias)
  }

  public final func _bool(_ name: StaticString, _ alias: String? = nil) -> Bool {
    known(name, alias)
  }

  public final func _boolOpt(_ name: StaticString, _ alias: String? = nil) -> Bool? {
    known(name, alias)
  }

  public final func _id(_ name: StaticString, _ alias: String? = nil) -> GraphQL.ID {
    known(name, alias)
  }

  public final func _idOpt(_ name: StaticString, _ alias: String? = nil) -> GraphQL.ID? {
    known(name, alias)
  }

  /// A value of any output type: enums, custom scalars, and optionals and lists of any values.
  public final func _value<Value: GraphQL.OutputValue>(
    _ name: StaticString, _ alias: String? = nil
  ) -> Value {
    do throws(GraphQL.WrongForm) {
      if let index = _find(name, alias) {
        if document.alias == nil { return try Value._require(plainReader(index)) }
        return try Value._require(reader(index))
      }
    } catch {}
    return missing(name, alias)
  }

  /// A value of a type that is known here and that contains no objects.
  @inline(__always)
  private final func known<Value: GraphQL.OutputValue>(
    _ name: StaticString, _ alias: String?
  ) -> Value {
    if let index = _find(name, alias), let value = Value._read(plainReader(index)) { return value }
    return missing(name, alias)
  }
}
