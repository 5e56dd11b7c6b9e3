// The module's own code, beside what is generated.

extension Library.Reader {
  public var hasLoans: Bool { !loans.isEmpty }
}
