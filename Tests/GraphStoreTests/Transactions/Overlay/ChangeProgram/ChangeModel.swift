import GraphQLRuntime

@testable import GraphStore

/// The contents of a store, in arrays and dictionaries, and the effect of changes on them.
struct ChangeModel {
  enum Change {
    case setTitle(String, String)
    case addProduct(String, String)
    case deleteProduct(String)
    case editProducts(String, ListEdit.Place)
    case move(person: String, club: String?)
    case addPerson(String, club: String?)
    case deletePerson(String)
    case editClub(String, person: String, ListEdit.Place)
  }

  struct Entry: Equatable {
    let id: String
    var cursor: String
  }

  /// A page as it arrived, with later changes.
  struct Page: Equatable {
    var entries: [Entry]
    let hasNext: Bool
  }

  /// Whether the other side of `Club.persons` and `Person.club` follows.
  let hasInverses: Bool
  var titles: [String: String] = [:]
  /// The club of each person.
  var persons: [String: String?] = [:]
  var clubs: [String: [String]] = [:]
  /// nil while there is no connection.
  var pages: [Page]?
  /// The cursor after which the next page begins.
  var endCursor: String?

  // MARK: Pages

  mutating func receiveFirst(_ page: Page) {
    if let first = pages?.first, first == page { return }
    if page.hasNext, let rest = rest(after: page) {
      pages = [page] + rest
      return
    }
    pages = [page]
    endCursor = page.entries.last?.cursor
  }

  /// The pages after a first page that has the entries at the start of the list.
  private func rest(after page: Page) -> [Page]? {
    guard var rest = pages, !page.entries.isEmpty,
      rest.flatMap(\.entries).starts(with: page.entries)
    else { return nil }
    var count = page.entries.count
    while count > 0 {
      let length = min(count, rest[0].entries.count)
      rest[0].entries.removeFirst(length)
      count -= length
      if rest[0].entries.isEmpty { rest.removeFirst() }
    }
    return rest.isEmpty ? nil : rest
  }

  mutating func receiveNext(_ page: Page) {
    guard !page.entries.isEmpty else { return }
    pages?.append(page)
    endCursor = page.entries.last?.cursor
  }

  // MARK: Stored changes

  /// The server has carried out a mutation.
  mutating func store(_ changes: [Change]) {
    for change in changes {
      if case .editProducts(let id, let place) = change {
        edit(id, place)
      } else {
        apply(change)
      }
    }
  }

  private mutating func edit(_ id: String, _ place: ListEdit.Place) {
    guard var pages else { return }
    defer { self.pages = pages }
    if place == .removed {
      for page in pages.indices { pages[page].entries.removeAll { $0.id == id } }
      return
    }
    let all = pages.flatMap(\.entries).map(\.id)
    guard titles[id] != nil, !all.contains(id) else { return }
    let position = self.position(of: id, place, in: all)
    var offset = 0
    for page in pages.indices {
      let entries = pages[page].entries
      if position <= offset + entries.count, !entries.isEmpty || page == pages.count - 1 {
        let local = position - offset
        let cursor = entries.isEmpty ? "" : entries[max(local - 1, 0)].cursor
        pages[page].entries.insert(Entry(id: id, cursor: cursor), at: local)
        return
      }
      offset += entries.count
    }
  }

  private func position(of id: String, _ place: ListEdit.Place, in ids: [String]) -> Int {
    switch place {
    case .start: return 0
    case .end, .removed: return ids.count
    case .ordered(_, let isDescending):
      let new = titles[id]
      return ids.firstIndex { other in
        guard let title = titles[other] else { return false }
        return isDescending ? title < (new ?? "") : (new ?? "") < title
      } ?? ids.count
    }
  }

  // MARK: Fields

  /// Changes everything but the connection.
  mutating func apply(_ change: Change) {
    switch change {
    case .setTitle(let id, let title): if titles[id] != nil { titles[id] = title }
    case .addProduct(let id, let title): titles[id] = title
    case .deleteProduct(let id):
      titles[id] = nil
      for page in (pages ?? []).indices { pages?[page].entries.removeAll { $0.id == id } }
    case .editProducts: break
    case .move(let person, let club): if persons[person] != nil { move(person, to: club) }
    case .addPerson(let person, let club):
      if persons[person] == nil { persons[person] = .some(nil) }
      move(person, to: club)
    case .deletePerson(let person):
      persons[person] = nil
      for club in clubs.keys { clubs[club]?.removeAll { $0 == person } }
    case .editClub(let club, let person, let place): edit(club, person, place)
    }
  }

  private mutating func move(_ person: String, to club: String?) {
    let old = persons[person] ?? nil
    persons[person] = .some(club)
    guard hasInverses, old != club else { return }
    if let old { clubs[old]?.removeAll { $0 == person } }
    if let club, clubs[club]?.contains(person) == false { clubs[club]?.append(person) }
  }

  private mutating func edit(_ club: String, _ person: String, _ place: ListEdit.Place) {
    guard var list = clubs[club] else { return }
    if place == .removed {
      guard list.contains(person) else { return }
      clubs[club] = list.filter { $0 != person }
      if hasInverses, persons[person] == .some(club) { persons[person] = .some(nil) }
      return
    }
    guard persons[person] != nil, !list.contains(person) else { return }
    list.insert(person, at: place == .start ? 0 : list.count)
    clubs[club] = list
    guard hasInverses, let old = persons[person], old != club else { return }
    if let old { clubs[old]?.removeAll { $0 == person } }
    persons[person] = .some(club)
  }

  /// A response with all persons of a club.
  mutating func receive(_ club: String, _ list: [String]) {
    let old = clubs[club] ?? []
    clubs[club] = list
    for person in list where persons[person] == nil { persons[person] = .some(nil) }
    guard hasInverses else { return }
    for person in old where !list.contains(person) && persons[person] == .some(club) {
      persons[person] = .some(nil)
    }
    for person in list where !old.contains(person) {
      if let former = persons[person] ?? nil, former != club {
        clubs[former]?.removeAll { $0 == person }
      }
      persons[person] = .some(club)
    }
  }

  // MARK: Visible state

  private struct Item {
    let id: String
    /// nil for an added object.
    let page: Int?
    var isHidden = false
  }

  /// The connection as readers see it: all nodes, and those of the first page; nil if there is none.
  func products(after changes: [Change]) -> (all: [String], first: [String])? {
    guard let pages else { return nil }
    var items = pages.enumerated().flatMap { page in
      page.element.entries.map { Item(id: $0.id, page: page.offset) }
    }
    for case .editProducts(let id, let place) in changes {
      if place == .removed {
        items.removeAll { $0.id == id && $0.page == nil }
        for index in items.indices where items[index].id == id { items[index].isHidden = true }
      } else if !items.contains(where: { $0.id == id && !$0.isHidden }) {
        let visible = items.indices.filter { !items[$0].isHidden }
        let position = self.position(of: id, place, in: visible.map { items[$0].id })
        let index =
          place == .start ? 0 : position == visible.count ? items.count : visible[position]
        items.insert(Item(id: id, page: nil), at: index)
      }
    }
    var first: [String] = []
    var page: Int?
    for item in items {
      page = item.page ?? page
      if (page ?? 0) == 0, !item.isHidden, titles[item.id] != nil { first.append(item.id) }
    }
    return (items.filter { !$0.isHidden && titles[$0.id] != nil }.map(\.id), first)
  }
}
