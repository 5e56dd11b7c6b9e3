import Foundation
import GraphJSON

extension Graph {
  /// A body of type `multipart/form-data` (RFC 7578).
  public struct MultipartForm: Sendable, Hashable {
    /// A field of the form.
    public struct Part: Sendable, Hashable {
      /// The source of a part's bytes.
      public enum Content: Sendable, Hashable {
        case bytes([UInt8])
        /// A file, read while it is sent.
        case file(URL)
      }

      /// The name of the form's field.
      public let name: String
      /// The file's name, if the part is a file.
      public let fileName: String?
      /// The part's media type. It is sent without its control characters, and not at all if it is empty.
      public let contentType: String?
      /// The source of the bytes.
      public let content: Content

      /// A part; name and content are required.
      public init(
        name: String, fileName: String? = nil, contentType: String? = nil, content: Content
      ) {
        self.name = name
        self.fileName = fileName
        self.contentType = contentType
        self.content = content
      }
    }

    /// The text between parts; it must not occur in any of them.
    public let boundary: String
    /// The parts in the order in which they are sent.
    public let parts: [Part]

    /// - Parameter boundary: by default 128 random bits.
    public init(parts: [Part], boundary: String? = nil) {
      self.parts = parts
      let random = (0..<2).map { _ in String(UInt64.random(in: 0 ... .max), radix: 36) }
      self.boundary = boundary ?? "graph-\(random.joined())"
    }

    /// The value of the request's `Content-Type`.
    public var contentType: String { "multipart/form-data; boundary=\(boundary)" }
  }
}

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

extension FileHandle {
  /// Opens a file for reading. Child processes do not inherit the descriptor.
  // Safe: the path is valid during the call.
  static func reading(_ file: URL) throws -> FileHandle {
    let descriptor = unsafe file.withUnsafeFileSystemRepresentation { path -> Int32 in
      guard let path = unsafe path else { return -1 }
      return unsafe open(path, O_RDONLY | O_CLOEXEC)
    }
    guard descriptor >= 0 else {
      throw CocoaError(.fileReadNoSuchFile, userInfo: [NSFilePathErrorKey: file.path])
    }
    return FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
  }
}

extension SHA256 {
  /// The digest of a file's bytes in lower-case hexadecimal digits. Reads it piece by piece.
  package static func hexDigest(ofFile file: URL) throws -> String {
    let handle = try FileHandle.reading(file)
    defer { try? handle.close() }
    var hash = SHA256()
    while let piece = try handle.read(upToCount: 1 << 16), !piece.isEmpty { hash.update(piece) }
    return hash.finish().hexadecimal
  }
}
