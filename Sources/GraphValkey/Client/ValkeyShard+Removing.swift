import Foundation
import GraphClient

extension ValkeyShard {
  /// Sends one command that removes something, which may be carried out more than once. It waits for the first connection, at
  /// most for the time in which that must be open; after a failed attempt, it fails without a wait.
  ///
  /// If the master of the keys can change, the command is sent until a master has carried it out, at most for the same
  /// time.
  func remove(by command: ValkeyCommands) async throws(Graph.ValkeyError) {
    let end = ValkeyClock.now + configuration.connectTimeout.nanoseconds
    while true {
      var failure = Graph.ValkeyError.isNotMaster
      do throws(Graph.ValkeyError) {
        let timeout = max(configuration.timeout, .nanoseconds(end - ValkeyClock.now))
        let value = try await send(command, timeout: timeout)[0]
        guard configuration.requiresMaster, value.isRedirection || value.isRefusalOfMaster else {
          _ = try value.checked()
          return
        }
        let left = Duration.nanoseconds(end - ValkeyClock.now)
        if left > .zero, let server = value.redirection(from: server),
          await isCarriedOut(command, by: server, within: left)
        {
          return
        }
      } catch {
        guard configuration.requiresMaster, [.unavailable, .connectionLost].contains(error.code)
        else { throw error }
        failure = error
      }
      guard ValkeyClock.now < end else { throw failure }
      guard (try? await Task.sleep(for: .milliseconds(10))) != nil else { throw .cancelled }
    }
  }

  /// Sends a command to the server to which its key moves.
  private func isCarriedOut(
    _ command: ValkeyCommands, by server: Graph.ValkeyConfiguration.Address, within limit: Duration
  ) async -> Bool {
    var commands = ValkeyCommands("ASKING")
    commands.append(contentsOf: command)
    return (try? await values(of: commands, within: limit) { server }) != nil
  }

  /// Sends commands on a connection of their own.
  private func values(
    of commands: ValkeyCommands, within limit: Duration,
    at server:
      @escaping @Sendable () throws(Graph.ValkeyError) -> Graph.ValkeyConfiguration.Address
  ) async throws(Graph.ValkeyError) -> [ValkeyValue] {
    let dialog = ValkeyDialog(
      library: library, credentials: configuration.credentials, tls: configuration.tls,
      limit: limit)
    let call = ValkeyCall(commands, deadline: .max)
    // It blocks.
    let thread = Thread {
      do throws(Graph.ValkeyError) {
        guard let values = try dialog.values(of: commands, at: server()) else { throw .lost }
        call.end(.success(values))
      } catch {
        call.end(.failure(error))
      }
    }
    thread.name = "GraphValkey.command"
    thread.start()
    // Resolving the name of a host has no limit.
    let timer = Task {
      try await Task.sleep(for: limit)
      call.end(.failure(.timeIsOver))
    }
    defer { timer.cancel() }
    return try await call.values()
  }
}
