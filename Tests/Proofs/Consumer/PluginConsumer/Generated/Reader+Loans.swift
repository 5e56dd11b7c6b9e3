// The module's own code, next to generated code.

extension Library.Reader {
  public var hasLoans: Bool { !loans.isEmpty }
}
