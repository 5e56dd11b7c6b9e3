import GraphJSON

/// The expected values of carts whose notes are written through an outbox, in the simplest possible
/// form.
struct Model {
  struct Operation {
    enum Effect {
      case create(String)
      case update(String)
      case delete
    }

    let id: String
    /// The cart's name in the model, which does not change when the server assigns a key.
    let cart: String
    var effect: Effect
    let isSave: Bool
    /// Whether its cart must have been created before.
    let needsCart: Bool
    var isInTransit = false
    var wasSent = false
  }

  /// The values of the server.
  var server: [String: String] = [:]
  /// The values that were written to the store.
  var stored: [String: String] = [:]
  private(set) var queue: [Operation] = []
  /// Carts that the server has created, or will create.
  private(set) var carts: [String] = []

  /// The values of a cart that readers see.
  func note(of cart: String) -> String? {
    queue.filter { $0.cart == cart }.reduce(stored[cart]) { note, operation in
      switch operation.effect {
      case .create(let new): new
      case .update(let new): note == nil ? nil : new
      case .delete: nil
      }
    }
  }

  mutating func addCart(_ cart: String, note: String?) {
    carts.append(cart)
    server[cart] = note
    stored[cart] = note
  }

  /// The queued operation that a save replaces.
  func replaced(by operation: Operation) -> Int? {
    guard operation.isSave, let last = queue.lastIndex(where: { $0.cart == operation.cart }),
      queue[last].isSave, !queue[last].wasSent
    else { return nil }
    return last
  }

  mutating func enqueue(_ operation: Operation) {
    if let place = replaced(by: operation) {
      queue[place].effect = operation.effect
    } else {
      queue.append(operation)
    }
  }

  func operation(_ id: String) -> Operation? { queue.first { $0.id == id } }

  mutating func claim(_ id: String) {
    change(id) {
      $0.isInTransit = true
      $0.wasSent = true
    }
  }

  mutating func retry(_ id: String) { change(id) { $0.isInTransit = false } }

  mutating func crash() { for operation in queue { retry(operation.id) } }

  /// Whether the server can carry out an operation.
  func isPossible(_ operation: Operation) -> Bool {
    if case .create = operation.effect { true } else { server[operation.cart] != nil }
  }

  mutating func receive(_ operation: Operation) {
    switch operation.effect {
    case .create(let note), .update(let note): server[operation.cart] = note
    case .delete: server[operation.cart] = nil
    }
    stored[operation.cart] = server[operation.cart]
    queue.removeAll { $0.id == operation.id }
  }

  /// If an operation fails, the operations that need its cart fail with it.
  mutating func drop(_ operation: Operation) {
    queue.removeAll { $0.id == operation.id }
    if case .create = operation.effect {
      queue.removeAll { $0.cart == operation.cart && $0.needsCart }
      carts.removeAll { $0 == operation.cart }
    }
  }

  private mutating func change(_ id: String, _ body: (inout Operation) -> Void) {
    if let place = queue.firstIndex(where: { $0.id == id }) { body(&queue[place]) }
  }
}
