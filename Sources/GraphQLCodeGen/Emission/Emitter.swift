/// Prints a plan. Each concept has a separate file that extends the emitter; nothing is decided in
/// them. A class, since the closures that write bodies each capture it.
final class Emitter {
  let plan: GenerationPlan

  /// Before every declaration at the top level of a file: the module may be an app's, where everything is
  /// isolated to the main actor unless it is marked. Declarations inside follow.
  let nonisolated = "nonisolated "
  /// `public `, before every declaration that users see.
  let access: String
  /// `public ` or `open `, before members of classes.
  let memberAccess: String
  /// `public final ` or `open `, before classes.
  let classAccess: String
  /// `Storefront.`, before types of the namespace outside of it.
  let prefix: String
  /// The first parameter of all builders of fields.
  let aliasParameter: SourceText
  /// All files are written in its memory, one after the other.
  var writer = SourceWriter()

  init(plan: GenerationPlan) {
    self.plan = plan
    access = plan.access.rawValue + " "
    let isOpen = plan.classes == .open
    memberAccess = isOpen && plan.access == .public ? "open " : access
    classAccess = isOpen ? memberAccess : access + "final "
    prefix = plan.namespace + "."
    let string = plan.hiddenStandardTypes.contains("String") ? "Swift.String" : "String"
    aliasParameter = "alias: \(string)? = nil"
  }

  /// A standard type, with its module if the schema hides it.
  func standard(_ type: String) -> String {
    plan.hiddenStandardTypes.contains(type) ? "Swift." + type : type
  }
}
