import Foundation
import GraphJSON

/// One change of a store, as one line.
struct LiveEvent {
  let name: String
  let text: String
  let details: JSON.Object
  let time = Date()

  /// - Parameters:
  ///   - text: what follows the event's name.
  ///   - details: the same for programs.
  init(_ name: String, _ text: String = "", _ details: JSON.Object = [:]) {
    self.name = name
    self.text = text.printable
    self.details = details
  }

  var line: String {
    let head = "\(time.timeOfDay) \(name.padded(to: 8))"
    return text.isEmpty ? "\(time.timeOfDay) \(name)" : "\(head) \(text)"
  }

  var json: JSON {
    let head: [JSON.Object.Member] = [
      .init(key: "event", value: .string(name)),
      .init(key: "at", value: .string(time.rfc3339)),
    ]
    return .object(JSON.Object(head + details.members))
  }
}
