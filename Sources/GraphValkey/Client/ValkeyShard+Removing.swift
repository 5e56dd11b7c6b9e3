import Foundation
import GraphClient

extension ValkeyShard {
  /// Sends one command that removes something, which may be carried out more than once.
  ///
  /// If the master of the keys can change, the command is sent until a master has carried it out, at most for the time in
  /// which a connection must be open.
  ///
  /// - Parameter makeCommand: makes the command of each attempt. A generation that was lost must not be set again by a
  ///   later attempt: what another process has removed meanwhile would count again.
  func remove(
    by makeCommand: @Sendable () -> ValkeyCommands
  ) async throws(Graph.ValkeyError) {
    let end = ValkeyClock.now + configuration.connectTimeout.nanoseconds
    while true {
      var failure = Graph.ValkeyError.isNotMaster
      let command = makeCommand()
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
    let dialog = ValkeyDialog(
      library: library, credentials: configuration.credentials, tls: configuration.tls,
      limit: limit)
    var commands = ValkeyCommands("ASKING")
    commands.append(contentsOf: command)
    let call = ValkeyCall(commands, deadline: .max)
    // It blocks.
    let thread = Thread { [commands] in
      do throws(Graph.ValkeyError) {
        guard let values = try dialog.values(of: commands, at: server) else { throw .lost }
        call.end(.success(values))
      } catch {
        call.end(.failure(error))
      }
    }
    thread.name = "GraphValkey.ask"
    thread.start()
    return (try? await call.values()) != nil
  }
}
