import GraphJSON

extension GraphQL {
  /// The variables of one document, in the order in which they are printed.
  ///
  /// A variable is named after its argument with its ordinal, so that equal values stay separate
  /// and the text does not depend on values.
  struct VariableList: ~Copyable {
    private let isCompact: Bool
    private var count = 0
    private var writer: ValueWriter
    /// The JSON object, once ``end()`` was called.
    private(set) var json: [UInt8] = []
    private(set) var uploads: [(path: String, upload: Upload)] = []
    /// `$first1: Int, $after2: String`.
    private(set) var definitions = ByteBuffer(capacity: 128)
    private var memberStart = 0
    private var memberEnd = 0

    /// - Parameter isCompact: whether the definitions are written without spaces.
    init(isCompact: Bool, schema: SchemaTable?) {
      self.isCompact = isCompact
      writer = ValueWriter(.json, schema: schema)
    }

    mutating func end() { json = writer.takeMembers() }

    /// Calls `body` with the text before the value of the variable that was added last:
    /// `,"first1":`.
    // Safe: bytes are only appended, and are valid during the call.
    func withLastMember(_ body: (UnsafeBufferPointer<UInt8>) -> Void) {
      unsafe writer.bytes.withUnsafeBufferPointer {
        unsafe body(UnsafeBufferPointer(rebasing: $0[memberStart..<memberEnd]))
      }
    }

    /// Adds a variable for an argument, appends its name with the `$` to `document`, and returns
    /// the problem with its value, if any.
    // Safe: the caller keeps both valid; `definitions` does not change while its bytes are read.
    mutating func add(
      _ argument: UnsafePointer<Argument>, as info: UnsafePointer<ArgumentInfo>,
      to document: inout ByteBuffer
    ) -> [String] {
      count += 1
      if count > 1 { separate(UInt8(ascii: ",")) }
      let start = definitions.count
      definitions.append(UInt8(ascii: "$"))
      unsafe argument.pointee.name.withBytes { name in
        unsafe definitions.append(name)
        // Names stay distinct because of their ordinals, as long as those can be distinguished from
        // the names.
        if let last = unsafe name.last, Name.isDigit(last) { definitions.append(UInt8(ascii: "_")) }
      }
      definitions.append(number: count)
      let name = unsafe UnsafeBufferPointer(rebasing: definitions.bytes[start...])
      unsafe document.append(name)
      memberStart = writer.bytes.count
      unsafe writer.member(variable: UnsafeBufferPointer(rebasing: name.dropFirst()))
      memberEnd = writer.bytes.count
      unsafe writer.write(argument, as: info)
      let found = writer.takeFindings()
      if let found, !found.uploads.isEmpty {
        let name = unsafe String(decoding: name.dropFirst(), as: UTF8.self)
        uploads += found.uploads.map { upload in
          let path = ["variables", name, upload.path].filter { !$0.isEmpty }
          return (path.joined(separator: "."), upload.upload)
        }
      }
      separate(UInt8(ascii: ":"))
      unsafe definitions.append(info.pointee.type.text)
      guard let found else { return [] }
      return found.problems.map { unsafe "argument `\(argument.pointee.name)`: \($0)" }
    }

    @inline(__always)
    private mutating func separate(_ byte: UInt8) {
      definitions.append(byte)
      if !isCompact { definitions.append(UInt8(ascii: " ")) }
    }
  }
}
