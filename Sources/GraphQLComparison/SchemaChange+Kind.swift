extension SchemaChange {
  /// The kind of a change, regardless of its effect on clients.
  public enum Kind: String, Sendable, CaseIterable {
    case typeAdded, typeRemoved, typeKindChanged
    case fieldAdded, fieldRemoved, fieldTypeChanged
    case argumentAdded, argumentRemoved, argumentTypeChanged, argumentDefaultChanged
    case inputFieldAdded, inputFieldRemoved, inputFieldTypeChanged, inputFieldDefaultChanged
    case enumValueAdded, enumValueRemoved
    case unionMemberAdded, unionMemberRemoved
    case interfaceAdded, interfaceRemoved
    case oneOfAdded, oneOfRemoved
    case specificationChanged
    case directiveAdded, directiveRemoved
    case directiveLocationAdded, directiveLocationRemoved
    case directiveRepeatabilityChanged
    case rootTypeAdded, rootTypeRemoved, rootTypeChanged
    case deprecationAdded, deprecationRemoved, deprecationReasonChanged
    case descriptionChanged
  }
}
