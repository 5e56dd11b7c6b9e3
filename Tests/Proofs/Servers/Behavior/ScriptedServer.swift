import Foundation
import GraphQLRuntime
import Loopback

/// Plays a ``ServerCase``, and records the received requests.
package final class ScriptedServer: Sendable {
  private struct State {
    var connectionCount = 0
    /// The bodies of completely received requests.
    var carriedOut: [String] = []
    var requestCount = 0
  }

  private let state: Locked<State>
  private let listener: LoopbackListener
  private let scheme: String
  /// Opened by the client when it has the response to its first request.
  private let isWarm = DispatchSemaphore(value: 0)
  /// Opened by the server when the client may send the next request.
  private let mayProceed = DispatchSemaphore(value: 0)

  package init(_ serverCase: ServerCase) throws {
    let state = Locked(State())
    let (isWarm, mayProceed) = (isWarm, mayProceed)
    self.state = state
    scheme = serverCase.scheme
    listener = try LoopbackListener { connection in
      let number = state.withLock { state in
        state.connectionCount += 1
        return state.connectionCount - 1
      }
      let steps =
        number < serverCase.connections.count ? serverCase.connections[number] : []
      let player = Player(
        connection: connection, state: state, isWarm: isWarm, mayProceed: mayProceed)
      guard player.play(steps), connection.isOpen else { return }
      // From here on, the server behaves regularly.
      while player.play([.request, .send(HTTPBytes.response())]) {}
    }
  }

  package var url: URL {
    var parts = URLComponents()
    (parts.scheme, parts.host, parts.port) = (scheme, "127.0.0.1", Int(listener.port))
    parts.path = "/graphql"
    guard let url = parts.url else { preconditionFailure("an address of numbers is one") }
    return url
  }

  /// The bodies of completely received requests, in order.
  package var carriedOut: [String] { state.withLock { $0.carriedOut } }
  /// The number of requests that were received completely or in part.
  package var requestCount: Int { state.withLock { $0.requestCount } }

  /// Lets the server continue after the first request, and waits until the next one may be sent.
  package func proceed() async {
    isWarm.signal()
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async { [mayProceed] in
        mayProceed.wait()
        continuation.resume()
      }
    }
  }

  private struct Player {
    let connection: LoopbackConnection
    let state: Locked<State>
    let isWarm: DispatchSemaphore
    let mayProceed: DispatchSemaphore

    /// - Returns: whether the connection can be used further.
    func play(_ steps: [ServerStep]) -> Bool {
      for step in steps {
        guard play(step) else { return false }
      }
      return true
    }

    private func play(_ step: ServerStep) -> Bool {
      switch step {
      case .request:
        guard let head = receiveHead(),
          let body = connection.read(HTTPBytes.contentLength(of: head))
        else { return false }
        state.withLock { $0.carriedOut.append(String(decoding: body, as: UTF8.self)) }
      case .receive(let count):
        guard connection.read(count) != nil else { return false }
      case .begin: state.withLock { $0.requestCount += 1 }
      case .head: return receiveHead() != nil
      case .send(let bytes): connection.write(bytes)
      case .drip(let bytes, let interval):
        for byte in bytes {
          guard connection.write([byte]) else { return false }
          Thread.sleep(forTimeInterval: interval / .seconds(1))
        }
      case .close: connection.close()
      case .reset: connection.reset()
      case .finish: connection.finish()
      case .hold:
        connection.waitForClose()
        return false
      case .pause: isWarm.wait()
      case .proceed: mayProceed.signal()
      }
      return true
    }

    private func receiveHead() -> [UInt8]? {
      guard let head = connection.read(through: Array("\r\n\r\n".utf8)) else { return nil }
      state.withLock { $0.requestCount += 1 }
      return head
    }
  }
}
