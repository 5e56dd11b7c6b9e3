import GraphClient
import GraphStore

/// The current time in milliseconds.
struct QueueTime: Sendable {
  /// Since 1970, by a clock that may be set: for values that outlive a run of the program.
  var wall: Int64
  /// Since the machine started, by a clock that is never set: for delays.
  var uptime: Int64

  init(wall: Int64, uptime: Int64) {
    self.wall = wall
    self.uptime = uptime
  }

  init(_ timestamp: Graph.Timestamp) {
    self.init(
      wall: timestamp.wall.wholeMilliseconds, uptime: timestamp.uptime.wholeMilliseconds)
  }
}
