import Foundation
import Observation

/// Notes in a terminal: a list that is loaded page by page, a note, and changes that work offline.
///
/// Usage: notes [FILE [--offline]]. The notes are kept in the file.
@main @MainActor
struct Program {
  static func main() async {
    let arguments = CommandLine.arguments.dropFirst()
    let file = arguments.first.map { URL(filePath: $0) } ?? temporaryFile
    do {
      let notebook = try await Notebook(file: file, isOnline: !arguments.contains("--offline"))
      let terminal = Terminal()
      draw(notebook, terminal)
      for await key in terminal.keys where !(await notebook.press(key)) { break }
      await notebook.close()
      terminal.close()
    } catch {
      print("notes: \(error)")
      exit(1)
    }
  }

  private static var temporaryFile: URL {
    FileManager.default.temporaryDirectory.appending(path: "notes-\(UUID()).store")
  }

  /// Draws the screen now, and whenever something on it changes.
  private static func draw(_ notebook: Notebook, _ terminal: Terminal) {
    withObservationTracking {
      terminal.draw(Screen(notebook: notebook).lines)
    } onChange: {
      Task { @MainActor in draw(notebook, terminal) }
    }
  }
}
