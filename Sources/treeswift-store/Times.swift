import Foundation

extension Duration {
  /// In the largest whole unit, such as `3 min`.
  var brief: String {
    let seconds = components.seconds
    return switch seconds {
    case ..<60: "\(seconds) s"
    case ..<3600: "\(seconds / 60) min"
    case ..<86_400: "\(seconds / 3600) h"
    default: "\(seconds / 86_400) d"
    }
  }
}

extension Date {
  /// The local time of day, such as `09:41:00`.
  var timeOfDay: String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.dateFormat = "HH:mm:ss"
    return formatter.string(from: self)
  }

  /// RFC 3339, in UTC.
  var rfc3339: String { ISO8601DateFormatter().string(from: self) }
}
