import Foundation

/// Where a view is shown: as a screen in a terminal, otherwise as one line for each event.
final class LiveOutput {
  private enum Style { case lines, json, screen }

  private let style: Style
  private let title: String
  /// The newest events, the newest first.
  private var events: [LiveEvent] = []
  private var shown = ""

  /// - Parameter title: the first line of the screen.
  init(title: String, isJSON: Bool) {
    self.title = title.printable
    style = isJSON ? .json : isatty(STDOUT_FILENO) == 1 ? .screen : .lines
    if style == .screen { try? Output.write(Terminal.enter) }
  }

  deinit { if style == .screen { try? Output.write(Terminal.leave) } }

  func show(_ lines: [String], _ new: [LiveEvent]) throws {
    switch style {
    case .lines: for event in new { try Output.line(event.line) }
    case .json: for event in new { try Output.line(event.json) }
    case .screen: try draw(lines, new)
    }
  }

  private func draw(_ lines: [String], _ new: [LiveEvent]) throws {
    let size = Terminal.size
    events = Array((new.reversed() + events).prefix(size.rows))
    let all = [title, ""] + lines + [""] + events.map(\.line)
    let text = Terminal.drawing(all, size)
    if text == shown { return }
    try Output.write(text)
    shown = text
  }
}
