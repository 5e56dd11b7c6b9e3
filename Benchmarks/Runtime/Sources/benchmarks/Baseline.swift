import Foundation
import GraphJSON

/// The ratios of an earlier run, which are similar on every machine.
struct Baseline: Equatable {
  let ratios: [String: Double]

  /// How much a row may slow down without a warning.
  static let tolerance = 0.1

  struct Unreadable: Error, CustomStringConvertible {
    let path: String
    var description: String { "\(path): expected an object of names and ratios above zero" }
  }

  init(ratios: [String: Double]) {
    self.ratios = ratios
  }

  /// - Throws: errors of reading and parsing the file, and ``Unreadable``.
  init(at path: String) throws {
    let root = try JSONDocument(parsing: Array(try Data(contentsOf: URL(filePath: path)))).root
    guard let members = root.members else { throw Unreadable(path: path) }
    var ratios: [String: Double] = [:]
    for member in members {
      guard let ratio = member.value.double, ratio > 0 else { throw Unreadable(path: path) }
      ratios[member.key] = ratio
    }
    self.ratios = ratios
  }

  /// Writes the ratios to five digits, by name.
  func write(to path: String) throws {
    var writer = JSONWriter(style: .indented(by: 2))
    writer.beginObject()
    for (name, ratio) in ratios.sorted(by: { $0.key < $1.key }) where ratio.isFinite {
      writer.key(name)
      try writer.double(Double(String(format: "%.5g", ratio)) ?? ratio)
    }
    writer.endObject()
    try Data(writer.finish() + [UInt8(ascii: "\n")]).write(
      to: URL(filePath: path), options: .atomic)
  }

  /// Rows that are more than a tenth slower, rows that could not be measured, and, if everything
  /// was run, rows that no longer exist.
  func warnings(against earlier: Baseline, isComplete: Bool) -> [String] {
    earlier.ratios.sorted { $0.key < $1.key }.compactMap { name, before in
      guard let ratio = ratios[name] else {
        return isComplete ? "\(name): not measured, was \(before)" : nil
      }
      guard ratio.isFinite else { return "\(name): failed, was \(before)" }
      guard ratio > before * (1 + Self.tolerance) else { return nil }
      return "\(name): ratio \(String(format: "%.4g", ratio)), was \(before)"
    }
  }
}
