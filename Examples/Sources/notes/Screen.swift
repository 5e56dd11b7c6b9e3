import GraphClient
import GraphLive
import GraphStore

/// The text of the screen.
@MainActor
struct Screen {
  let notebook: Notebook

  var lines: [String] {
    switch notebook.mode {
    case .list: list + ["", "j k move, enter open, a add, d delete, n more, o network, q quit"]
    case .detail(let note, let query): detail(note, query) + ["", "b back"]
    case .input(let title): list + ["", "Title: \(title)"]
    }
  }

  private var list: [String] {
    let notes = notebook.notes
    var lines = [heading("Notes")]
    for (place, note) in notes.items.enumerated() {
      let cursor = place == notebook.selected ? ">" : " "
      lines.append("\(cursor) \(note.title)\(notebook.isQueued(note) ? " *" : "")")
    }
    if notes.phase.isActive { lines.append("  loading") }
    if notes.hasNext { lines.append("  more") }
    if let error = notes.phase.error { lines.append("! \(error.localizedDescription)") }
    if let problem = notebook.problem { lines.append("! \(problem)") }
    return lines
  }

  private func detail(
    _ note: Graph.LiveFragment<NoteText>, _ query: Graph.LiveQuery<NotePageQuery.Data>
  ) -> [String] {
    if let note = note.value { return [heading("Note"), note.title, note.text] }
    let error = query.phase.error.map { "! \($0.localizedDescription)" }
    return [heading("Note"), error ?? "loading"]
  }

  private func heading(_ title: String) -> String {
    let queued = notebook.queued == 0 ? "" : ", \(notebook.queued) queued"
    return "\(title) (\(notebook.isOnline ? "online" : "offline")\(queued))"
  }
}
