// What the accessors of generated classes call for scalars, enums and lists of them.
extension GraphQL.AbstractResponse {
  public final func _string(_ name: StaticString, _ alias: String? = nil) -> String {
    _value(name, alias)
  }

  public final func _stringOpt(_ name: StaticString, _ alias: String? = nil) -> String? {
    _value(name, alias)
  }

  public final func _int(_ name: StaticString, _ alias: String? = nil) -> Int32 {
    _value(name, alias)
  }

  public final func _intOpt(_ name: StaticString, _ alias: String? = nil) -> Int32? {
    _value(name, alias)
  }

  public final func _double(_ name: StaticString, _ alias: String? = nil) -> Double {
    _value(name, alias)
  }

  public final func _doubleOpt(_ name: StaticString, _ alias: String? = nil) -> Double? {
    _value(name, alias)
  }

  public final func _bool(_ name: StaticString, _ alias: String? = nil) -> Bool {
    _value(name, alias)
  }

  public final func _boolOpt(_ name: StaticString, _ alias: String? = nil) -> Bool? {
    _value(name, alias)
  }

  public final func _id(_ name: StaticString, _ alias: String? = nil) -> GraphQL.ID {
    _value(name, alias)
  }

  public final func _idOpt(_ name: StaticString, _ alias: String? = nil) -> GraphQL.ID? {
    _value(name, alias)
  }

  /// A value of any output type: scalars, enums, objects, and optionals and lists of them.
  @inline(__always)
  public final func _value<Value: GraphQL.OutputValue>(
    _ name: StaticString, _ alias: String? = nil
  ) -> Value {
    if let index = _find(name, alias), let value = Value._read(reader(index)) { return value }
    return missing(name, alias) {
      Value._placeholder($0)
    } same: {
      Value._same($0, $1)
    }
  }
}
