import Foundation
import GraphClient
import GraphLive
import GraphOutbox
import GraphQLRuntime
import GraphStore
import NotesAPI
import Observation

/// The state of the screen, and the actions of its keys.
@MainActor @Observable
final class Notebook {
  /// The purpose of the keys.
  enum Mode {
    case list
    /// A note as the store has it, and the query that loads it: a note that was added offline is only in the store.
    case detail(Graph.LiveFragment<NoteText>, Graph.LiveQuery<NotePageQuery.Data>)
    /// The title of a new note.
    case input(String)
  }

  private(set) var mode = Mode.list
  private(set) var selected = 0
  private(set) var isOnline: Bool
  /// The number of changes that the service does not have yet.
  private(set) var queued = 0
  /// Why the last change has failed.
  private(set) var problem: String?
  let notes: Graph.LivePages<NoteRow>

  @ObservationIgnored private let store: Graph.Store
  @ObservationIgnored private let client: Graph.Client
  @ObservationIgnored private let service: Service
  @ObservationIgnored private let outbox: Graph.Outbox

  init(file: URL, isOnline: Bool) async throws {
    service = try Service()
    service.isOnline = isOnline
    self.isOnline = isOnline
    store = try Graph.Store(schema: Notes.schema, file: file)
    var configuration = Graph.ClientConfiguration()
    // The reader sees at once that there is no network.
    configuration.retryPolicy = .none
    client = Graph.Client(
      endpoint: URL(string: "https://notes.example/graphql")!, transport: service, store: store,
      configuration: configuration)
    outbox = try await Graph.Outbox(store: store, client: client)
    try await outbox.setReachable(isOnline)
    notes = Graph.LivePages(in: client) { position in
      Graph.PageQuery(NoteListQuery(after: position.after)) { data in
        let page = data.notes
        return Graph.Page(
          page.nodes.map(\.noteRow), hasNextPage: page.pageInfo.hasNextPage,
          endCursor: page.pageInfo.endCursor)
      }
    }
    queued = try outbox.summary().count
    let transitions = outbox.transitions()
    Task { [weak self] in
      for await transition in transitions { self?.receive(transition) }
    }
  }

  func close() async { await outbox.close() }

  // MARK: Keys

  /// - Returns: whether the program continues.
  func press(_ key: Character) async -> Bool {
    switch mode {
    case .list: return await pressInList(key)
    case .detail:
      if key == "b" || key == "\u{1B}" { mode = .list }
    case .input(let title): await type(key, after: title)
    }
    return true
  }

  private func pressInList(_ key: Character) async -> Bool {
    switch key {
    case "j": selected = min(selected + 1, max(notes.items.count - 1, 0))
    case "k": selected = max(selected - 1, 0)
    case "\r", "\n":
      if let note { open(note) }
    case "a": mode = .input("")
    case "d": await delete()
    case "n": Task { await notes.loadNext() }
    case "r": Task { await notes.refresh() }
    case "o": await toggleNetwork()
    case "q": return false
    default: break
    }
    return true
  }

  private func type(_ key: Character, after title: String) async {
    switch key {
    case "\u{1B}": mode = .list
    case "\u{7F}": mode = .input(String(title.dropLast()))
    case "\r", "\n":
      mode = .list
      await add(title)
    default: mode = .input(title + String(key))
    }
  }

  private func open(_ note: NoteRow) {
    do {
      mode = .detail(
        try Graph.LiveFragment(NoteText.self, key: note.id.rawValue, in: store),
        Graph.LiveQuery(NotePageQuery(id: note.id), in: client))
    } catch {
      problem = error.localizedDescription
    }
  }

  // MARK: Changes

  private var note: NoteRow? {
    notes.items.indices.contains(selected) ? notes.items[selected] : nil
  }

  private static func key(of id: GraphQL.ID) -> GraphQL.EntityKey {
    GraphQL.EntityKey(typeName: "Note", key: id.rawValue)
  }

  private func add(_ title: String) async {
    let mutation = AddNoteMutation(
      title: title, text: "Written here.", key: Graph.Outbox.idempotencyKeyPlaceholder)
    let note = Self.key(of: Graph.TemporaryKey.make())
    await queue(
      mutation, for: note,
      [
        .create(["title": .string(title), "text": "Written here."]),
        .prepend(note, to: .list(\Notes.Query.notes)),
      ])
  }

  private func delete() async {
    guard let note else { return }
    await queue(DeleteNoteMutation(id: note.id), for: Self.key(of: note.id), .delete)
    selected = min(selected, max(notes.items.count - 1, 0))
  }

  private func queue(
    _ mutation: some GraphQL.MutationRepresentable, for note: GraphQL.EntityKey,
    _ change: Graph.StoreChange
  ) async {
    do {
      try await outbox.queue(mutation, for: note, optimistic: change)
    } catch {
      problem = error.localizedDescription
    }
  }

  private func toggleNetwork() async {
    isOnline.toggle()
    service.isOnline = isOnline
    try? await outbox.setReachable(isOnline)
  }

  private func receive(_ transition: Graph.Transition) {
    if transition.to == .rejected { problem = transition.reason?.message ?? "refused" }
    if let count = try? outbox.summary().count, count != queued { queued = count }
  }

  /// Whether the service does not have all changes of a note.
  func isQueued(_ note: NoteRow) -> Bool {
    guard let state = try? outbox.state(of: Self.key(of: note.id)) else { return false }
    return state.receipt == nil
  }
}
