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
    let parts = Calendar.current.dateComponents([.hour, .minute, .second], from: self)
    return [parts.hour, parts.minute, parts.second].map { part in
      let text = String(part ?? 0)
      return text.count < 2 ? "0" + text : text
    }.joined(separator: ":")
  }
}
