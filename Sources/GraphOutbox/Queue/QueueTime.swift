import GraphClient
import GraphStore

/// The present in milliseconds.
struct QueueTime: Sendable {
  /// Since 1970, by a clock that may be set: for what outlives a run of the program.
  var wall: Int64
  /// Since the machine started, by one that is not: for delays.
  var uptime: Int64

  init(wall: Int64, uptime: Int64) {
    self.wall = wall
    self.uptime = uptime
  }

  init(_ moment: Graph.Moment) {
    self.init(
      wall: moment.wall.wholeMilliseconds, uptime: moment.uptime.wholeMilliseconds)
  }
}
