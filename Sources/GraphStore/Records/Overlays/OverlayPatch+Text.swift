import GraphJSON
import GraphQLRuntime

// A patch whose only step is the first part of its change is stored as its effect and its content. Others have a
// list of steps in their content; their effect is then `delete` if the entity does not exist after them, so that
// deletions are found by their effect.

extension OverlayPatch {
  static let stepsEffect = "steps"

  /// - Parameter storable: the part of a content that may be in the file.
  func stored(_ storable: (JSONDocument) -> String) -> (effect: String, content: String) {
    if steps.count == 1, steps[0].order == 0, !steps[0].isDerived {
      return (steps[0].effect.rawValue, storable(steps[0].content))
    }
    let list = steps.map { step in
      let order = step.order == 0 ? "" : #","order":\#(step.order)"#
      let isDerived = step.isDerived ? #","isDerived":true"# : ""
      return
        #"{"effect":"\#(step.effect.rawValue)","content":\#(storable(step.content))\#(order)\#(isDerived)}"#
    }
    return (
      deletes ? Effect.delete.rawValue : Self.stepsEffect,
      #"{"steps":[\#(list.joined(separator: ","))]}"#
    )
  }

  /// The patch without the keys of some entities in its edits, links and keepers.
  func naming(only isNamed: (GraphQL.EntityKey) -> Bool) -> OverlayPatch {
    OverlayPatch(
      change: change,
      steps: steps.compactMap { step in
        switch step.effect {
        case .create, .update: return step
        case .delete:
          return Step(deletionKeptBy: step.keepers.filter(isNamed))
            .map { step.with(content: $0.content) }
        case .unlink:
          return Step(unlinking: step.links.filter(isNamed)).map { step.with(content: $0.content) }
        case .edit:
          let edit = ListEdit(step.content.json(at: JSONDocument.rootIndex))
          return edit.map { isNamed($0.key) } ?? true ? step : nil
        }
      })
  }

  /// nil for a patch that this version cannot read.
  init?(change: Int64, effect: String, content: String) {
    guard let json = JSONDocument(record: Array(content.utf8)) else { return nil }
    guard case .array(let list)? = json.json(at: JSONDocument.rootIndex)["steps"],
      effect == Self.stepsEffect || effect == Effect.delete.rawValue
    else {
      guard let effect = Effect(rawValue: effect) else { return nil }
      self.init(change: change, steps: [Step(effect: effect, content: json)])
      return
    }
    let steps = list.compactMap { step -> Step? in
      guard case .string(let name)? = step["effect"], let effect = Effect(rawValue: name),
        let content = step["content"]
      else { return nil }
      var result = Step(effect, content)
      result?.order = step["order"]?.integer ?? 0
      result?.isDerived = step["isDerived"] == true
      return result
    }
    self.init(change: change, steps: steps)
  }
}
