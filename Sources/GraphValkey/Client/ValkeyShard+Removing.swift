import Foundation
import GraphClient

extension ValkeyShard {
  /// Sends one command that removes something, which may be carried out more than once.
  ///
  /// If the master of the keys can change, the command is sent until a master has carried it out, at most for the time in
  /// which a connection must be open.
  func remove(by command: ValkeyCommands) async throws(Graph.ValkeyError) {
    let end = ValkeyClock.now + configuration.connectTimeout.nanoseconds
    while true {
      var failure = Graph.ValkeyError.isNotMaster
      do throws(Graph.ValkeyError) {
        let value = try await send(command)[0]
        guard configuration.requiresMaster, value.isRedirection || value.isRefusalOfMaster else {
          _ = try value.checked()
          return
        }
        let left = Duration.nanoseconds(end - ValkeyClock.now)
        if left > .zero, let server = value.redirection,
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

  /// Removes again on a connection of its own, and waits until replicas have the change: `WAIT` would hold up the other
  /// commands of a connection.
  ///
  /// - Throws: if fewer replicas have it in the time in which a connection must be open.
  func confirm(_ command: ValkeyCommands, replicas: Int) async throws(Graph.ValkeyError) {
    let end = ValkeyClock.now + configuration.connectTimeout.nanoseconds
    var attempt = 0
    while true {
      let limit = Duration.nanoseconds(max(0, end - ValkeyClock.now))
      var commands = ValkeyCommands()
      if configuration.database != 0 { commands.append("SELECT", String(configuration.database)) }
      commands.append(contentsOf: command)
      // The rest of the time is for the connection itself.
      commands.append("WAIT", String(replicas), String(max(1, limit.positiveMilliseconds / 2)))
      var count: Int64?
      do throws(Graph.ValkeyError) {
        count = try await values(of: commands, within: limit) {
          [route, attempt] () throws(Graph.ValkeyError) in try route.server(after: attempt)
        }.last?.integer
      } catch {
        guard configuration.requiresMaster, ValkeyClock.now < end else { throw error }
      }
      if let count {
        guard count >= replicas else { throw .notReplicated }
        return
      }
      attempt += 1
      guard (try? await Task.sleep(for: .milliseconds(10))) != nil else { throw .cancelled }
    }
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
    return try await call.values()
  }
}

extension Graph.ValkeyError {
  fileprivate static let notReplicated = Graph.ValkeyError(
    .timedOut, message: "fewer replicas than required have the removal")
}
