import Foundation
import GraphJSON
import GraphQLRuntime
import GraphStorage

extension Graph {
  /// A condition on the objects of a type, written with key paths.
  ///
  /// ```swift
  /// let filter: Graph.Filter<Storefront.Product> =
  ///   \.vendor == "Acme" && \.priceRange.min.amount > 10
  /// ```
  ///
  /// The compiler checks the key paths; the store resolves them to fields, also through links to
  /// other objects. A key path that is not a chain of generated accessors makes the fetch throw
  /// `unsupportedKeyPath`, and so does a comparison of objects, lists and scalars of your own.
  ///
  /// Strings, IDs and enums are compared byte by byte, an enum by the schema's name; dates and
  /// decimals by their values. A null, and a field that is not stored, equal nil; all other
  /// comparisons with them are false.
  public struct Filter<Object: GraphQL.AbstractResponse>: Sendable {
    typealias Test =
      @Sendable (JSONDocument, Int, any RecordSource) throws(Graph.StoreError) -> Bool

    let test: Test
    /// Ranges of fields' values outside of which the condition is false.
    private(set) var ranges: [FieldRange] = []
    /// The fields that the condition uses.
    private(set) var paths: [String] = []

    init(ranges: [FieldRange] = [], paths: [String] = [], _ test: @escaping Test) {
      self.test = test
      self.ranges = ranges
      self.paths = paths
    }

    /// A filter that cannot be applied.
    init(_ error: StoreError) {
      test = { _, _, _ throws(Graph.StoreError) in throw error }
    }

    /// Compares the value of a field with a fixed one.
    static func compare<Field>(
      _ path: KeyPath<Object, Field>, _ type: Any.Type, _ value: (any GraphQL.InputValue)?,
      _ comparison: Comparison, _ collation: Collation = .binary
    ) -> Filter {
      do throws(Graph.StoreError) {
        let locator = try FieldLocator(path)
        guard let kind = GraphQL.LeafKind(type) else {
          throw StoreError(.unsupportedKeyPath, "a \(type) cannot be compared in the store")
        }
        let fixed = collation.apply(try OrderedValue(value, kind))
        let range = collation == .binary ? comparison.range(locator.path, fixed) : nil
        return Filter(ranges: range.map { [$0] } ?? [], paths: [locator.path]) {
          json, index, source throws(Graph.StoreError) in
          guard let found = try locator.find(json, index, source) else {
            return comparison.holds(.nothing, fixed)
          }
          let value = OrderedValue(found.json, at: found.index, kind)
          return comparison.holds(collation == .binary ? value : collation.apply(value), fixed)
        }
      } catch {
        return Filter(error)
      }
    }

    /// Compares a string with a given collation: `.string(\.title, .equal, "acme", collation:
    /// .caseInsensitive)`.
    public static func string(
      _ path: KeyPath<Object, String>, _ comparison: Comparison, _ value: String,
      collation: Collation
    ) -> Filter {
      compare(path, String.self, value, comparison, collation)
    }

    /// Compares a nullable string with a given collation.
    public static func string(
      _ path: KeyPath<Object, String?>, _ comparison: Comparison, _ value: String,
      collation: Collation
    ) -> Filter {
      compare(path, String.self, value, comparison, collation)
    }
  }
}

extension OrderedValue {
  init(
    _ value: (any GraphQL.InputValue)?, _ kind: GraphQL.LeafKind
  ) throws(Graph.StoreError) {
    guard let value else {
      self = .nothing
      return
    }
    guard let json = GraphQL._json(value) else {
      throw Graph.StoreError(
        .unsupportedKeyPath, "a value without a JSON form cannot be used in a comparison")
    }
    self.init(json, at: JSONDocument.rootIndex, kind)
  }
}

extension Graph.Filter {
  /// Both conditions are true.
  public static func && (left: Self, right: Self) -> Self {
    Self(ranges: left.ranges + right.ranges, paths: left.paths + right.paths) {
      json, index, source throws(Graph.StoreError) in
      guard try left.test(json, index, source) else { return false }
      return try right.test(json, index, source)
    }
  }

  /// At least one of the conditions is true.
  public static func || (left: Self, right: Self) -> Self {
    Self(paths: left.paths + right.paths) { json, index, source throws(Graph.StoreError) in
      if try left.test(json, index, source) { return true }
      return try right.test(json, index, source)
    }
  }

  /// The condition is false.
  public static prefix func ! (filter: Self) -> Self {
    Self(paths: filter.paths) { json, index, source throws(Graph.StoreError) in
      !(try filter.test(json, index, source))
    }
  }

  /// At least one object of a list satisfies a condition: `.any(\.variants) { \.stock > 0 }`.
  public static func any<Element: GraphQL.AbstractResponse>(
    _ list: KeyPath<Object, [Element]>, _ condition: () -> Graph.Filter<Element>
  ) -> Self {
    let inner = condition()
    do throws(Graph.StoreError) {
      let locator = try FieldLocator(list, isList: true)
      let paths = inner.paths.map { "\(locator.path).\($0)" }
      return Self(paths: paths.isEmpty ? [locator.path] : paths) {
        json, index, source throws(Graph.StoreError) in
        guard let found = try locator.find(json, index, source),
          found.json.kind(at: found.index) == .array
        else { return false }
        var element = found.json.firstChild(of: found.index)
        let end = found.json.end(of: found.index)
        while element < end {
          if try inner.test(found.json, element, source) { return true }
          element = found.json.next(after: element)
        }
        return false
      }
    } catch {
      return Self(error)
    }
  }

  /// The field's value is one of several.
  public static func oneOf<Value: GraphQL.OutputValue & GraphQL.InputValue>(
    _ path: KeyPath<Object, Value>, _ values: [Value]
  ) -> Self {
    let filters = values.map { path == $0 }
    return filters.dropFirst().reduce(filters.first ?? Self.none) { $0 || $1 }
  }

  /// A condition that is always false.
  public static var none: Self {
    Self { _, _, _ throws(Graph.StoreError) in false }
  }
}

// Each operator twice: for non-null and for nullable fields.

/// The field equals the value; see `Graph.Filter`.
public func == <Object: GraphQL.AbstractResponse, Value: GraphQL.OutputValue & GraphQL.InputValue>(
  path: KeyPath<Object, Value>, value: Value
) -> Graph.Filter<Object> {
  .compare(path, Value.self, value, .equal)
}

/// The field equals the value; see `Graph.Filter`.
public func == <Object: GraphQL.AbstractResponse, Value: GraphQL.OutputValue & GraphQL.InputValue>(
  path: KeyPath<Object, Value?>, value: Value?
) -> Graph.Filter<Object> {
  .compare(path, Value.self, value, .equal)
}

/// The field does not equal the value; see `Graph.Filter`.
public func != <Object: GraphQL.AbstractResponse, Value: GraphQL.OutputValue & GraphQL.InputValue>(
  path: KeyPath<Object, Value>, value: Value
) -> Graph.Filter<Object> {
  .compare(path, Value.self, value, .notEqual)
}

/// The field does not equal the value; see `Graph.Filter`.
public func != <Object: GraphQL.AbstractResponse, Value: GraphQL.OutputValue & GraphQL.InputValue>(
  path: KeyPath<Object, Value?>, value: Value?
) -> Graph.Filter<Object> {
  .compare(path, Value.self, value, .notEqual)
}

/// The field is less than the value; see `Graph.Filter`.
public func < <Object: GraphQL.AbstractResponse, Value: GraphQL.OutputValue & GraphQL.InputValue>(
  path: KeyPath<Object, Value>, value: Value
) -> Graph.Filter<Object> {
  .compare(path, Value.self, value, .less)
}

/// The field is less than the value; see `Graph.Filter`.
public func < <Object: GraphQL.AbstractResponse, Value: GraphQL.OutputValue & GraphQL.InputValue>(
  path: KeyPath<Object, Value?>, value: Value
) -> Graph.Filter<Object> {
  .compare(path, Value.self, value, .less)
}

/// The field is at most the value; see `Graph.Filter`.
public func <= <Object: GraphQL.AbstractResponse, Value: GraphQL.OutputValue & GraphQL.InputValue>(
  path: KeyPath<Object, Value>, value: Value
) -> Graph.Filter<Object> {
  .compare(path, Value.self, value, .atMost)
}

/// The field is at most the value; see `Graph.Filter`.
public func <= <Object: GraphQL.AbstractResponse, Value: GraphQL.OutputValue & GraphQL.InputValue>(
  path: KeyPath<Object, Value?>, value: Value
) -> Graph.Filter<Object> {
  .compare(path, Value.self, value, .atMost)
}

/// The field is greater than the value; see `Graph.Filter`.
public func > <Object: GraphQL.AbstractResponse, Value: GraphQL.OutputValue & GraphQL.InputValue>(
  path: KeyPath<Object, Value>, value: Value
) -> Graph.Filter<Object> {
  .compare(path, Value.self, value, .greater)
}

/// The field is greater than the value; see `Graph.Filter`.
public func > <Object: GraphQL.AbstractResponse, Value: GraphQL.OutputValue & GraphQL.InputValue>(
  path: KeyPath<Object, Value?>, value: Value
) -> Graph.Filter<Object> {
  .compare(path, Value.self, value, .greater)
}

/// The field is at least the value; see `Graph.Filter`.
public func >= <Object: GraphQL.AbstractResponse, Value: GraphQL.OutputValue & GraphQL.InputValue>(
  path: KeyPath<Object, Value>, value: Value
) -> Graph.Filter<Object> {
  .compare(path, Value.self, value, .atLeast)
}

/// The field is at least the value; see `Graph.Filter`.
public func >= <Object: GraphQL.AbstractResponse, Value: GraphQL.OutputValue & GraphQL.InputValue>(
  path: KeyPath<Object, Value?>, value: Value
) -> Graph.Filter<Object> {
  .compare(path, Value.self, value, .atLeast)
}

extension Graph {
  /// How the value of a field is compared with a fixed one.
  public enum Comparison: Sendable, Hashable {
    /// The values are equal.
    case equal
    /// The values differ.
    case notEqual
    /// The field is less; a null never is.
    case less
    /// The field is less or equal; a null never is.
    case atMost
    /// The field is greater.
    case greater
    /// The field is greater or equal; a null is not.
    case atLeast

    func holds(_ value: OrderedValue, _ fixed: OrderedValue) -> Bool {
      switch self {
      case .equal: value == fixed
      case .notEqual: value != fixed
      case .less: value != .nothing && value < fixed
      case .atMost: value != .nothing && value <= fixed
      case .greater: value > fixed
      case .atLeast: value >= fixed
      }
    }

    /// The values for which the comparison may be true; nil if they are not a range.
    func range(_ path: String, _ fixed: OrderedValue) -> FieldRange? {
      switch self {
      case .equal: FieldRange(path: path, lower: fixed, upper: fixed)
      case .notEqual: nil
      case .less, .atMost: FieldRange(path: path, lower: nil, upper: fixed)
      case .greater, .atLeast: FieldRange(path: path, lower: fixed, upper: nil)
      }
    }
  }

  /// How strings are compared.
  public enum Collation: Sendable, Hashable {
    /// Byte by byte, as UTF-8. Queryable fields have an index in this order.
    case binary
    /// Without regard to case.
    case caseInsensitive
    /// Without regard to case and diacritics: `É` is `e`.
    case caseAndDiacriticInsensitive

    func apply(_ value: OrderedValue) -> OrderedValue {
      guard case .text(let text) = value else { return value }
      return switch self {
      case .binary: value
      case .caseInsensitive: .text(text.folding(options: .caseInsensitive, locale: nil))
      case .caseAndDiacriticInsensitive:
        .text(text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil))
      }
    }
  }
}
