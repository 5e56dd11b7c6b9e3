#if !canImport(Darwin)
  import CCurl
  import Dispatch
  import GraphQLRuntime

  extension Graph {
    /// Ends transfers whose deadlines pass while the thread of their loop is busy. One call of
    /// libcurl can last for as long as the server sends.
    final class CurlDeadlineMonitor: Sendable {
      private struct State {
        var transfers: [ObjectIdentifier: CurlTransfer] = [:]
        /// Whether a check of the loop is scheduled.
        var isCheckScheduled = false
      }

      private static let interval = DispatchTimeInterval.milliseconds(250)

      private let state = Locked(State())

      /// Monitors a transfer, which retains the loop, until ``remove(_:)``.
      func add(_ transfer: CurlTransfer) {
        let mustSchedule = state.withLock { state in
          state.transfers[ObjectIdentifier(transfer)] = transfer
          defer { state.isCheckScheduled = true }
          return !state.isCheckScheduled
        }
        if mustSchedule { scheduleCheck(of: transfer.loop) }
      }

      func remove(_ transfer: CurlTransfer) {
        state.withLock { _ = $0.transfers.removeValue(forKey: ObjectIdentifier(transfer)) }
      }

      private func scheduleCheck(of loop: CurlLoop) {
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.interval) { [weak loop] in
          guard let loop else { return }
          self.check(loop)
        }
      }

      // Safe: the loop lives as long as this call, and only one thread at a time executes this.
      private func check(_ loop: CurlLoop) {
        if unsafe ccurl_loop_is_late(loop.pointer) {
          let now = ContinuousClock.now
          for transfer in state.withLock({ Array($0.transfers.values) }) {
            transfer.giveUp(ifLateAt: now)
          }
        }
        let mustReschedule = state.withLock { state in
          state.isCheckScheduled = !state.transfers.isEmpty
          return state.isCheckScheduled
        }
        if mustReschedule { scheduleCheck(of: loop) }
      }
    }
  }
#endif
