import GraphJSON

/// What must be seen of carts whose notes are written through an outbox, kept as simply as can be.
struct Model {
  struct Operation {
    enum Effect {
      case create(String)
      case update(String)
      case delete
    }

    let id: String
    /// The cart's name in the model, which does not change when the server gives it a key.
    let cart: String
    var effect: Effect
    let isSave: Bool
    /// Whether its cart must have been made before.
    let needsCart: Bool
    var isInTransit = false
    var wasSent = false
  }

  /// What the server has.
  var server: [String: String] = [:]
  /// What the store was told.
  var told: [String: String] = [:]
  private(set) var queue: [Operation] = []
  /// Carts that the server has made, or will have made.
  private(set) var carts: [String] = []

  /// What readers see of a cart.
  func note(of cart: String) -> String? {
    queue.filter { $0.cart == cart }.reduce(told[cart]) { note, operation in
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
    told[cart] = note
  }

  /// The queued operation that a save takes the place of.
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

  /// Whether the server can carry an operation out.
  func isPossible(_ operation: Operation) -> Bool {
    if case .create = operation.effect { true } else { server[operation.cart] != nil }
  }

  mutating func receive(_ operation: Operation) {
    switch operation.effect {
    case .create(let note), .update(let note): server[operation.cart] = note
    case .delete: server[operation.cart] = nil
    }
    told[operation.cart] = server[operation.cart]
    queue.removeAll { $0.id == operation.id }
  }

  /// An operation that comes to nothing takes those with it that need its cart.
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
