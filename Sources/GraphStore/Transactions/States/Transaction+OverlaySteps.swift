import GraphJSON
import GraphQLRuntime
import GraphStorage

// The steps of expected changes, and the state that readers see because of them.

extension Graph.Transaction {
  /// The state of an entity without the expected changes after a place.
  func record(
    of state: EntityState, through place: ChangePlace
  ) throws(Graph.StoreError) -> RecordText? {
    guard let overlay = state.overlay, !overlay.ends(with: place) else { return state.record }
    return try overlay.visible(through: place, patchContext(of: state.key)).map(RecordText.init)
  }

  /// Adds a step to the patch of an operation.
  func addStep(
    _ step: OverlayPatch.Step, to state: EntityState, by change: Int64
  ) throws(Graph.StoreError) {
    var overlay = state.overlay ?? Overlay(base: state.json)
    // Operations nearly always come in their order: then the visible state is the base for the
    // next.
    let isLast = overlay.ends(with: ChangePlace(change: change, order: step.order))
    try write(overlay.add(step, by: change), of: state.key)
    let context = patchContext(of: state.key)
    setOverlay(
      state, with: overlay,
      showing: isLast
        ? try step.applied(to: state.json, context) : try overlay.visible(context))
  }

  /// Replaces the patch of an operation.
  func setOverlay(_ state: EntityState, with patch: OverlayPatch) throws(Graph.StoreError) {
    var overlay = state.overlay ?? Overlay(base: state.json)
    overlay.set(patch)
    try write(patch, of: state.key)
    try setOverlay(state, with: overlay)
  }

  func setOverlay(_ state: EntityState, with overlay: Overlay) throws(Graph.StoreError) {
    guard !overlay.patches.isEmpty else { return removeOverlay(state, base: overlay.base) }
    setOverlay(
      state, with: overlay, showing: try overlay.visible(patchContext(of: state.key)))
  }

  private func setOverlay(
    _ state: EntityState, with overlay: Overlay, showing visible: JSONDocument?
  ) {
    state.setOverlay(overlay, isBaseChanged: state.overlay == nil)
    if !isInFile(state.key) { memory.overlays[state.key] = overlay }
    show(visible, in: state)
  }

  func removeOverlay(_ state: EntityState) throws(Graph.StoreError) {
    if let overlay = state.overlay { removeOverlay(state, base: overlay.base) }
  }

  private func removeOverlay(_ state: EntityState, base: JSONDocument?) {
    state.setOverlay(nil, isBaseChanged: true)
    if !isInFile(state.key) { memory.overlays[state.key] = nil }
    show(base, in: state)
  }

  private func show(_ record: JSONDocument?, in state: EntityState) {
    if state.change(record.map(RecordText.init), isFromResponse: false) { changed.append(state) }
  }
}
