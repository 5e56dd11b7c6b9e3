/// Untrusted text in quotes, suitable for a message: shortened, with an escape for every character
/// that could move the cursor, end the line or reorder the text.
package func quoted(_ text: String) -> String {
  let limit = 60
  if text.utf8.count <= limit { return "\"\(escaped(text))\"" }
  let scalars = text.unicodeScalars
  let kept = scalars.prefix(limit + 1)
  guard kept.count > limit else { return "\"\(escaped(text))\"" }
  return "\"\(escaped(String(String.UnicodeScalarView(kept.dropLast()))))…\""
}

/// The text with control, format, line separating and unassigned characters as `\u{…}`.
package func escaped(_ text: String) -> String {
  if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) { return text }
  var result = ""
  for scalar in text.unicodeScalars {
    if isPrintable(scalar) {
      result.unicodeScalars.append(scalar)
    } else {
      result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
    }
  }
  return result
}

func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
  if scalar.isASCII { return scalar.value >= 0x20 && scalar.value != 0x7F }
  return switch scalar.properties.generalCategory {
  case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
    false
  default: true
  }
}
