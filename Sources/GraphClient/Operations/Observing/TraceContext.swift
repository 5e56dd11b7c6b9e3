import Foundation
import GraphQLRuntime

extension Graph {
  /// A place in a distributed trace (W3C Trace Context).
  ///
  /// A client sends it with each HTTP request, as the fields `traceparent` and `tracestate`. A server that receives
  /// a request takes it from there:
  ///
  /// ```swift
  /// func handle(traceparent: String?, _ body: () async throws -> Void) async throws {
  ///   let context = Graph.TraceContext(traceparent: traceparent)
  ///   try await Graph.TraceContext.$current.withValue(context) { try await body() }
  /// }
  /// ```
  public struct TraceContext: Sendable, Hashable {
    /// The trace.
    public let traceID: TraceID
    /// The span that calls are part of; nil at the beginning of a trace.
    public let spanID: SpanID?
    /// Whether the trace is recorded.
    public let isSampled: Bool
    /// The field `tracestate`: what other systems add, passed on as it is.
    public let state: String?

    /// The context of the current task; nil if there is none.
    @TaskLocal public static var current: TraceContext?

    /// A context.
    public init(
      traceID: TraceID, spanID: SpanID?, isSampled: Bool, state: String? = nil
    ) {
      self.traceID = traceID
      self.spanID = spanID
      self.isSampled = isSampled
      self.state = state
    }

    /// The beginning of a new trace.
    public static func newTrace(isSampled: Bool = true) -> TraceContext {
      TraceContext(traceID: .random(), spanID: nil, isSampled: isSampled)
    }

    /// The context with another span.
    func with(_ span: SpanID) -> TraceContext {
      TraceContext(traceID: traceID, spanID: span, isSampled: isSampled, state: state)
    }
  }
}

extension Graph.TraceContext {
  /// 128 bits that identify a trace; not all of them are zero.
  public struct TraceID: Sendable, Hashable, CustomStringConvertible {
    /// The first eight bytes.
    public let high: UInt64
    /// The last eight bytes.
    public let low: UInt64

    /// - Returns: nil if both are zero.
    public init?(high: UInt64, low: UInt64) {
      guard high != 0 || low != 0 else { return nil }
      self.high = high
      self.low = low
    }

    /// A new trace's.
    public static func random() -> TraceID {
      while true {
        if let id = TraceID(high: .random(in: 0 ... .max), low: .random(in: 0 ... .max)) {
          return id
        }
      }
    }

    /// 32 hexadecimal digits in lowercase.
    public var description: String { hexDigits(of: high) + hexDigits(of: low) }
  }

  /// 64 bits that identify a span within a trace; not all of them are zero.
  public struct SpanID: Sendable, Hashable, CustomStringConvertible {
    /// The bytes, the first of which is the most significant.
    public let value: UInt64

    /// - Returns: nil if `value` is zero.
    public init?(_ value: UInt64) {
      guard value != 0 else { return nil }
      self.value = value
    }

    /// A new span's.
    public static func random() -> SpanID {
      while true {
        if let id = SpanID(.random(in: 0 ... .max)) { return id }
      }
    }

    /// 16 hexadecimal digits in lowercase.
    public var description: String { hexDigits(of: value) }
  }
}

extension Graph.TraceContext {
  /// The context in the field `traceparent` of a request (W3C Trace Context, 3.2).
  ///
  /// - Parameter tracestate: the field of that name; it is not passed on if it is longer than 512 characters or has
  ///   characters that a header field may not have.
  /// - Returns: nil if the field is missing or not valid. Fields of later versions are read as far as this one knows.
  public init?(traceparent: String?, tracestate: String? = nil) {
    guard
      let fields = traceparent.map({
        $0.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
      }),
      fields.count >= 4,
      let version = hexValue(fields[0], digits: 2), version != 0xFF,
      version > 0 || fields.count == 4,
      fields[1].count == 32,
      let high = hexValue(fields[1].prefix(16), digits: 16),
      let low = hexValue(fields[1].suffix(16), digits: 16),
      let traceID = TraceID(high: high, low: low),
      let spanID = hexValue(fields[2], digits: 16).flatMap(SpanID.init),
      let flags = hexValue(fields[3], digits: 2)
    else { return nil }
    let state = tracestate.flatMap { $0.isEmpty || !$0.isTraceState ? nil : $0 }
    self.init(traceID: traceID, spanID: spanID, isSampled: flags & 1 == 1, state: state)
  }

  /// The value of the field `traceparent`; nil at the beginning of a trace, which has no span.
  public var traceparent: String? {
    spanID.map { "00-\(traceID)-\($0)-\(isSampled ? "01" : "00")" }
  }
}

extension String {
  /// Whether the text may be sent as `tracestate`.
  fileprivate var isTraceState: Bool {
    utf8.count <= 512 && utf8.allSatisfy { (0x20...0x7E).contains($0) }
  }
}

private func hexDigits(of value: UInt64) -> String {
  let digits = String(value, radix: 16)
  return String(repeating: "0", count: 16 - digits.count) + digits
}

/// The value of hexadecimal digits in lowercase; nil if there are other characters or another number of them.
private func hexValue(_ text: Substring.UTF8View, digits: Int) -> UInt64? {
  guard text.count == digits else { return nil }
  var value: UInt64 = 0
  for byte in text {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"):
      value = value << 4 | UInt64(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"):
      value = value << 4 | UInt64(byte - UInt8(ascii: "a") + 10)
    default: return nil
    }
  }
  return value
}
