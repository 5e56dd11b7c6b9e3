import GraphQLRuntime

import Testing

@testable import GraphClient

/// A function that hangs, and ignores cancellation, until the test releases it.
final class Hanging: Sendable {
  private struct State {
    var count = 0
    var isOver = false
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Locked(State())

  /// The number of calls so far.
  var count: Int { state.withLock { $0.count } }

  /// Returns after ``release()``.
  func hang() async {
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        state.count += 1
        if !state.isOver { state.waiting.append(continuation) }
        return state.isOver
      }
      if isOver { continuation.resume() }
    }
  }

  /// Returns when the calling task is cancelled.
  static func untilCancelled() async {
    let never = AsyncStream<Never> { _ in }
    for await _ in never {}
  }

  /// Releases all calls, including later ones.
  func release() {
    let waiting = state.withLock { state in
      defer { state.waiting = [] }
      state.isOver = true
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }
}

/// An interceptor that hangs at one of its steps.
struct HangingInterceptor: Graph.Interceptor {
  enum Point: CaseIterable, Sendable {
    case preparation
    case before
    case after
  }

  let point: Point
  let hanging: Hanging

  func prepare(_ request: Graph.OperationRequest) async throws -> Graph.OperationRequest {
    if point == .preparation { await hanging.hang() }
    return request
  }

  func intercept(
    _ request: Graph.OperationRequest, next: Next
  ) async throws -> Graph.OperationResponse {
    if point == .before { await hanging.hang() }
    let response = try await next(request)
    if point == .after { await hanging.hang() }
    return response
  }
}
