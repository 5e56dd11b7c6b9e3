import Foundation
import GraphClient
import GraphQLRuntime

/// The connection on which the server sends messages: of channels, and about changed keys.
///
/// It is opened when it is first needed. While it is lost, no message arrives: subscribers are notified of that, and
/// when they are subscribed again.
final class ValkeySubscriptions: Sendable {
  enum Message: Sendable, Hashable {
    /// Messages that are sent from now on arrive.
    case subscribed
    case message
    /// Messages may be missing.
    case lost
  }

  /// Changes of keys that begin with the prefixes.
  enum Change: Sendable, Hashable {
    /// Changes from now on arrive.
    case begins
    case keys([String])
    /// All keys were deleted.
    case all
    /// Changes may be missing.
    case lost
  }

  private struct State {
    var handlers: [String: [Int: @Sendable (Message) -> Void]] = [:]
    /// The channels whose subscription the server has confirmed.
    var confirmed: Set<String> = []
    var tracker: (@Sendable (Change) -> Void)?
    /// Whether the server was asked for changes on the last connection.
    var isTracked = false
    /// When the server has last sent anything.
    var lastMessage: Int64 = 0
    /// When it was asked for a sign of life for the first time since then.
    var lastPing: Int64 = 0
    var isReady = false

    /// - Returns: whether a new connection must ask for changes.
    mutating func beginTracking() -> Bool {
      isTracked = tracker != nil
      return isTracked
    }
  }

  /// The channel on which a server of RESP2 sends changed keys.
  private static let invalidations = "__redis__:invalidate"

  let link: ValkeyLink
  private let state: Locked<State>
  private let loop = Locked<ValkeyLoop?>(nil)
  /// The number of the last subscription. It is locked while a channel is subscribed or unsubscribed: the server must get
  /// the commands in the order of the changes.
  private let lastID = Locked(0)

  init(
    _ library: HiredisLibrary, _ configuration: Graph.ValkeyConfiguration, _ route: ValkeyRoute,
    _ keys: ValkeyKeys
  ) {
    let state = Locked(State())
    self.state = state
    let handshake = ValkeyHandshake { step, values throws(Graph.ValkeyError) in
      try ValkeyHandshake.check(values)
      switch step {
      case 0:
        var commands = ValkeyHandshake.beginning(configuration, keys)
        commands.append("CLIENT", "ID")
        return commands
      case 1 where state.withLock { $0.beginTracking() }:
        // Changes are sent on this connection itself, so either both exist or neither does.
        guard let id = values.last?.integer else {
          throw Graph.ValkeyError(.invalidResponse, message: "the connection has no number")
        }
        let prefixes = keys.tracked.flatMap { ["PREFIX", $0] }
        var commands = ValkeyCommands()
        commands.append(
          (["CLIENT", "TRACKING", "ON", "REDIRECT", String(id), "BCAST"] + prefixes)
            .map { .init(text: $0) })
        return commands
      default: return nil
      }
    }
    let relay = Relay()
    link = ValkeyLink(
      library, configuration, ValkeyBreaker(configuration.backoff), route, handshake
    ) { relay.owner.withLock { $0.value }?.receive($0) }
    relay.owner.withLock { $0 = Weak(value: self) }
  }

  /// The link exists before its owner.
  private final class Relay: Sendable {
    let owner = Locked(Weak(value: nil))
  }

  private struct Weak: Sendable {
    weak let value: ValkeySubscriptions?
  }

  func start(_ loop: ValkeyLoop) { self.loop.withLock { $0 = loop } }

  /// Calls `handler` for each message of a channel, on the thread of the loop. If the channel is subscribed already, the
  /// first call is on this thread.
  ///
  /// - Returns: what ``unsubscribe(_:_:)`` requires.
  func subscribe(_ channel: String, _ handler: @escaping @Sendable (Message) -> Void) -> Int {
    let (id, isConfirmed) = lastID.withLock { lastID in
      lastID += 1
      let id = lastID
      let (isFirst, isConfirmed) = state.withLock { state in
        let isFirst = state.handlers[channel] == nil
        state.handlers[channel, default: [:]][id] = handler
        return (isFirst, state.confirmed.contains(channel))
      }
      if isFirst { _ = link.post(ValkeyCommands("SUBSCRIBE", channel)) }
      return (id, isConfirmed)
    }
    if isConfirmed { handler(.subscribed) }
    open()
    return id
  }

  func unsubscribe(_ channel: String, _ id: Int) {
    let isPosted = lastID.withLock { _ in
      let isLast = state.withLock { state in
        state.handlers[channel]?[id] = nil
        guard state.handlers[channel]?.isEmpty == true else { return false }
        state.handlers[channel] = nil
        state.confirmed.remove(channel)
        return true
      }
      return isLast && link.post(ValkeyCommands("UNSUBSCRIBE", channel))
    }
    if isPosted { wake() }
  }

  /// Calls `tracker` for changes of the responses of the namespace, on the thread of the loop. There can be one.
  func track(_ tracker: @escaping @Sendable (Change) -> Void) {
    state.withLock { $0.tracker = tracker }
    // A connection that was opened for something else does not track.
    link.closeOnLoop(isSuspect: false)
    open()
  }

  /// The number of channels whose messages arrive.
  var confirmedCount: Int { state.withLock { $0.confirmed.count } }

  var isTracking: Bool { state.withLock { $0.confirmed.contains(Self.invalidations) } }

  private func open() {
    link.want()
    wake()
  }

  private func wake() { loop.withLock { $0 }?.wake() }

  /// Asks the server for a sign of life, and closes the connection if there was none for `limit` after the last time. A
  /// partition does not close connections.
  func check(limit: Duration) {
    let now = ValkeyClock.now
    let isSilent = state.withLock { state in
      guard state.isReady, state.lastMessage < state.lastPing else {
        state.lastPing = now
        return false
      }
      return now - state.lastPing > limit.nanoseconds
    }
    if isSilent {
      lose()
    } else if link.post(ValkeyCommands("PING")) {
      wake()
    }
  }

  /// Closes the connection if it is open: messages may not arrive on it any more.
  func lose() {
    link.closeOnLoop(isSuspect: true)
    wake()
  }

  private func receive(_ event: ValkeyLink.Event) {
    state.withLock { $0.lastMessage = ValkeyClock.now }
    switch event {
    case .ready: subscribeAll()
    case .lost: notifyOfLoss()
    case .message(let value):
      guard let parts = value.array, parts.count >= 2, let kind = parts[0].text,
        let channel = parts[1].text
      else { return }
      switch kind {
      case "subscribe": confirm(channel)
      case "message" where channel == Self.invalidations:
        state.withLock { $0.tracker }?(Self.change(parts.count > 2 ? parts[2] : .null))
      case "message": notify(channel, .message)
      default: break
      }
    }
  }

  private static func change(_ keys: ValkeyValue) -> Change {
    keys.array.map { .keys($0.compactMap(\.text)) } ?? .all
  }

  private func subscribeAll() {
    lastID.withLock { _ in
      let channels = state.withLock { state -> [String]? in
        state.isReady = true
        // The tracker may have been set after the connection was asked to begin without it.
        guard state.isTracked == (state.tracker != nil) else { return nil }
        return (state.isTracked ? [Self.invalidations] : []) + state.handlers.keys
      }
      guard let channels else { return link.closeOnLoop(isSuspect: false) }
      guard !channels.isEmpty else { return }
      var commands = ValkeyCommands()
      commands.append((["SUBSCRIBE"] + channels).map { .init(text: $0) })
      _ = link.post(commands)
    }
  }

  private func confirm(_ channel: String) {
    let tracker = state.withLock { state -> (@Sendable (Change) -> Void)? in
      // The last subscriber may have gone before the server has responded.
      guard channel == Self.invalidations || state.handlers[channel] != nil else { return nil }
      state.confirmed.insert(channel)
      return channel == Self.invalidations ? state.tracker : nil
    }
    tracker?(.begins)
    notify(channel, .subscribed)
  }

  private func notify(_ channel: String, _ message: Message) {
    let handlers = state.withLock { state in state.handlers[channel].map { Array($0.values) } }
    for handler in handlers ?? [] { handler(message) }
  }

  private func notifyOfLoss() {
    let (tracker, handlers) = state.withLock { state in
      state.confirmed = []
      state.isReady = false
      return (state.tracker, state.handlers.values.flatMap(\.values))
    }
    tracker?(.lost)
    for handler in handlers { handler(.lost) }
  }
}
