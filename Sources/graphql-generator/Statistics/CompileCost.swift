/// The compile cost of generated code.
///
/// Measured with Swift 6.3.1 on x86-64 Linux, user and system time of the compiler alone: the
/// module of Shopify's Storefront schema (3,311 functions as `CodeFigures` counts them) takes 7.2 s
/// in debug and 13.5 s in release (Documentation/Performance.md), which
/// `Benchmarks/Runtime/compile-cost --schema FILE` repeats. The numbers below are from an earlier run
/// and give 6.3 s and 15.2 s. Treat a result as the order of magnitude: processors differ more than
/// the shapes of schemas do.
enum CompileCost {
  case debug, release

  /// Seconds of CPU for 1,000 functions.
  private var secondsPerThousand: Double {
    switch self {
    case .debug: 1.9
    case .release: 4.6
    }
  }

  func seconds(functions: Int) -> Double { Double(functions) * secondsPerThousand / 1_000 }
}
