extension Source {
  /// The position of a byte range, with its line as an excerpt.
  public func position(from start: Int, to end: Int) -> SourcePosition {
    let (line, column) = lineAndColumn(at: start)
    return SourcePosition(
      source: name, line: line, column: column, excerpt: excerpt(line: line, start: start, end: end)
    )
  }

  /// The part of a line around a marked range, at most about 100 characters of it.
  private func excerpt(line: Int, start: Int, end: Int) -> SourcePosition.Excerpt? {
    let before = 60
    let longest = 100
    let lineRange = lineRange(line)
    guard !lineRange.isEmpty, start <= lineRange.upperBound else { return nil }

    // Truncated by bytes first, at character boundaries, since a line may be a whole file.
    var cutStart = max(lineRange.lowerBound, start - before)
    while cutStart < start, terminatedBytes[cutStart] & 0xC0 == 0x80 { cutStart += 1 }
    var cutEnd = min(lineRange.upperBound, cutStart + longest)
    while cutEnd > cutStart, cutEnd < count, terminatedBytes[cutEnd] & 0xC0 == 0x80 { cutEnd -= 1 }

    let head = shown(cutStart..<max(cutStart, min(start, cutEnd)))
    let marked = shown(min(start, cutEnd)..<max(start, min(end, cutEnd)))
    let tail = shown(max(start, min(end, cutEnd))..<max(start, cutEnd))
    let opening = cutStart > lineRange.lowerBound ? "…" : ""
    let closing = cutEnd < lineRange.upperBound ? "…" : ""
    return SourcePosition.Excerpt(
      text: opening + head + marked + tail + closing,
      markStart: opening.unicodeScalars.count + head.unicodeScalars.count,
      markLength: max(1, marked.unicodeScalars.count))
  }

  /// The bytes as text in which every character is one column wide and safe to print.
  private func shown(_ range: Range<Int>) -> String {
    if terminatedBytes[range].allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) {
      return String(decoding: terminatedBytes[range], as: UTF8.self)
    }
    var result = String.UnicodeScalarView()
    for scalar in String(decoding: terminatedBytes[range], as: UTF8.self).unicodeScalars {
      result.append(scalar == "\t" ? " " : isPrintable(scalar) ? scalar : "\u{FFFD}")
    }
    return String(result)
  }
}

extension [Source] {
  /// The position of a range; nil for nodes that were not read from a source.
  package func position(of range: SourceRange) -> SourcePosition? {
    guard range.isKnown, Int(range.source) < count else { return nil }
    return self[Int(range.source)].position(from: Int(range.start), to: Int(range.end))
  }
}
