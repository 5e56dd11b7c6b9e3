extension ServerCase {
  /// The outcome of a case with URLSession on Linux, found with each case in a separate process.
  package enum URLSessionOutcome: Sendable {
    /// The expected outcome.
    case right
    /// An error of the wrong kind, a wrong statement on whether anything was sent, or a response
    /// instead of an error.
    case wrong
    /// It ends the process (possibly only if one side is faster), or never returns.
    case notRun
  }

  package var onURLSession: URLSessionOutcome {
    guard Self.ranOnURLSession.contains(group), name != "the largest" else { return .notRun }
    return Self.wrongOnURLSession[group]?.contains(name) == true ? .wrong : .right
  }

  /// The groups without trailers, without an end inside a head, and without resets.
  private static let ranOnURLSession: Set<String> = [
    "closed inside the body",
    "closed inside chunks",
    "closed inside gzip",
    "closed at the end",
    "chunks",
    "status lines",
    "heads",
    "lengths",
    "codings",
    "statuses",
    "redirects",
  ]

  private static let wrongOnURLSession: [String: Set<String>] = [
    "chunks": [
      "no size",
      "a size that is not a number",
      "a negative size",
      "a size with a sign",
      "a size of 17 digits",
      "a size of 1,000 digits",
      "a size over the largest",
      "more bytes than the size",
      "no line's end after the bytes",
      "no chunks at all",
      "NUL for a size",
      "a size in the form of C",
    ],
    "status lines": [
      "no reason",
      "a reason with bytes that are not text",
      "a reason of 200 KB",
      "status 1000",
      "status 2000",
      "status 99",
      "status 099",
      "status 000",
      "status 20",
      "status -200",
      "status +200",
      "status 2e2",
      "status 200OK",
      "status in letters",
      "no status",
      "no status, with a space",
      "a reason only",
      "two spaces",
      "a tab",
      "no space",
      "no version",
      "an empty version",
      "version 0.9",
      "version 1",
      "version 1.10",
      "version 4.0",
      "version in letters",
      "lower case",
      "another protocol",
      "RTSP",
      "FTP",
      "SSH",
      "a request",
      "white space before it",
      "an empty line before it",
      "a byte order mark before it",
      "NUL in it",
      "lines that end with LF only",
      "HTTP/0.9, a text",
      "HTTP/0.9, a page",
      "one other letter",
      "one NUL",
      "zeros",
      "bytes that are not text",
      "100 KB of one letter",
      "300 KB of H",
      "empty lines only",
      "a TLS alert",
      "HTTP/2's first frame",
    ],
    "heads": [
      "a line of 200 KB",
      "a name of 100 KB",
      "2 MB in lines of 50 KB",
      "100,000 fields",
      "a value of spaces",
      "no space after the colon",
      "white space before the colon",
      "two colons",
      "a value that is not text",
      "an empty name",
      "a colon alone",
      "a line without a colon",
      "NUL in a value",
      "NUL in a name",
      "a fold at the beginning",
    ],
    "lengths": [
      "over the largest",
      "of 100 digits",
      "negative",
      "with a sign",
      "not a number",
      "a number and more",
      "hexadecimal",
      "a fraction",
      "empty",
      "two numbers in one line",
      "two in one line",
      "two, the first right",
      "two, the second right",
      "two, the longer wrong",
      "chunks are named, but there are none",
      "a transfer coding that is unknown",
    ],
    "codings": [
      "gzip is named, but it is not",
      "br is named, but it is not",
      "zstd is named, but it is not",
      "deflate is named, but it is not",
      "gzip with a broken block",
      "gzip with a wrong checksum",
      "gzip and more bytes",
      "unknown",
      "unknown after gzip",
      "ten times",
    ],
    "redirects": [
      "307 without an address",
      "307 with an empty address",
      "307 to a port where nothing listens",
      "307 to a secure address that is not",
    ],
  ]
}
