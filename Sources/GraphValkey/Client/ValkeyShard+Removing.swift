import Foundation
import GraphClient

extension ValkeyShard {
  /// Sends one command that removes something, which may be carried out more than once.
  ///
  /// While another server becomes the master of the keys, the command is sent until that one has carried it out, at most
  /// for the time in which a connection must be open.
  func remove(by command: ValkeyCommands) async throws(Graph.ValkeyError) {
    let end = ValkeyClock.now + configuration.connectTimeout.nanoseconds
    var isMoving = false
    while true {
      do throws(Graph.ValkeyError) {
        let value = try await send(command)[0]
        if let server = value.redirection { return try await ask(server, command) }
        isMoving = isMoving || value.isRedirection || value.isRefusalOfMaster
        _ = try value.checked()
        return
      } catch {
        isMoving = isMoving || error.message == Graph.ValkeyError.hasMoved.message
        guard isMoving, error.code != .cancelled, ValkeyClock.now < end else { throw error }
      }
      guard (try? await Task.sleep(for: .milliseconds(10))) != nil else { throw .cancelled }
    }
  }

  /// Sends a command to the server to which its key moves.
  private func ask(
    _ server: Graph.ValkeyConfiguration.Address, _ command: ValkeyCommands
  ) async throws(Graph.ValkeyError) {
    let dialog = ValkeyDialog(
      library: library, credentials: configuration.credentials, tls: configuration.tls,
      limit: configuration.connectTimeout)
    var commands = ValkeyCommands("ASKING")
    commands.append(contentsOf: command)
    let call = ValkeyCall(commands, deadline: .max)
    // It blocks.
    Thread.detachNewThread { [commands] in
      do throws(Graph.ValkeyError) {
        guard let values = try dialog.values(of: commands, at: server) else { throw .lost }
        call.end(.success(values))
      } catch {
        call.end(.failure(error))
      }
    }
    _ = try await call.values()
  }
}
