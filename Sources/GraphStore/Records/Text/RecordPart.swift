/// A field of a new record, and the position of its value in the buffer of the normalizer.
struct RecordPart {
  /// Its position in the plan.
  let field: Int
  let start: Int
  let end: Int
}
