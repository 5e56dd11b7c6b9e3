/// A relation that is maintained on both sides: a field, and the field that leads back.
struct InverseRelation: Sendable, Hashable {
  let field: String
  let inverse: String
}
