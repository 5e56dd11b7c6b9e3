extension Graph.MultipartForm {
  /// The body in the order in which it is sent (RFC 7578, section 4): heads and ends of parts as
  /// bytes, and the contents of the parts.
  var pieces: [Part.Content] {
    var pieces: [Part.Content] = []
    for part in parts {
      pieces += [.bytes(head(of: part)), part.content, .bytes(Array("\r\n".utf8))]
    }
    return pieces + [.bytes(Array("--\(boundary)--\r\n".utf8))]
  }

  private func head(of part: Part) -> [UInt8] {
    var text = "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(Self.quoted(part.name))\""
    if let fileName = part.fileName { text += "; filename=\"\(Self.quoted(fileName))\"" }
    text += "\r\n"
    if let contentType = part.contentType.map(Self.withoutControlCharacters), !contentType.isEmpty {
      text += "Content-Type: \(contentType)\r\n"
    }
    return Array((text + "\r\n").utf8)
  }

  /// They are not allowed in header fields (RFC 9110, section 5.5), and a line end would end the field.
  private static func withoutControlCharacters(_ text: String) -> String {
    String(text.unicodeScalars.filter { $0.properties.generalCategory != .control })
  }

  /// Quotes and line ends would end the name (HTML standard, multipart/form-data encoding).
  private static func quoted(_ name: String) -> String {
    var quoted = ""
    for scalar in name.unicodeScalars {
      switch scalar {
      case "\"": quoted += "%22"
      case "\r": quoted += "%0D"
      case "\n": quoted += "%0A"
      case "\0": quoted += "%00"
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted
  }
}
