import Foundation
import GraphJSON
import GraphQLRuntime

/// JSON text in which each property of an object is a member.
struct Output {
  var writer = JSONWriter()

  mutating func add(_ name: StaticString, _ value: some Shown) {
    writer.key(name.description)
    value.show(&self)
  }

  /// The object as one of the types that a `switch` distinguishes.
  mutating func add(case name: String, _ value: some Shown) {
    writer.beginObject()
    writer.key(name)
    value.show(&self)
    writer.endObject()
  }

  /// A value whose text has a form of its own.
  mutating func add(_ kind: String, text: String) {
    writer.beginObject()
    writer.key(kind)
    writer.string(text)
    writer.endObject()
  }
}

/// A value that can be written to the output.
protocol Shown {
  func show(_ output: inout Output)
}

extension Optional: Shown where Wrapped: Shown {
  func show(_ output: inout Output) {
    if let self { self.show(&output) } else { output.writer.null() }
  }
}

extension Array: Shown where Element: Shown {
  func show(_ output: inout Output) {
    output.writer.beginArray()
    for element in self { element.show(&output) }
    output.writer.endArray()
  }
}

extension String: Shown {
  func show(_ output: inout Output) { output.writer.string(self) }
}

extension GraphQL.ID: Shown {
  func show(_ output: inout Output) { output.writer.string(rawValue) }
}

extension Bool: Shown {
  func show(_ output: inout Output) { output.writer.bool(self) }
}

extension Int: Shown {
  func show(_ output: inout Output) { output.writer.value(JSON(self)) }
}

extension Double: Shown {
  func show(_ output: inout Output) { output.add("$double", text: description) }
}

extension GraphQL.JSON: Shown {
  func show(_ output: inout Output) { output.add("$json", text: description) }
}

extension GraphQL.BigInt: Shown {
  func show(_ output: inout Output) { output.writer.string(description) }
}

extension GraphQL.LocalDate: Shown {
  func show(_ output: inout Output) { output.writer.string(description) }
}

extension Date: Shown {
  func show(_ output: inout Output) {
    output.add("$milliseconds", text: "\(Int((timeIntervalSince1970 * 1000).rounded()))")
  }
}

extension URL: Shown {
  func show(_ output: inout Output) { output.writer.string(absoluteString) }
}

extension Decimal: Shown {
  func show(_ output: inout Output) { output.add("$decimal", text: description) }
}

extension Shown where Self: GraphQL.Enum {
  func show(_ output: inout Output) { output.writer.string(rawValue) }
}
