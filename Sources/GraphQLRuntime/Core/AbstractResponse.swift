import CTreeswiftAtomics
import GraphJSON

extension GraphQL {
  /// An object of a response. Generated classes derive from it.
  ///
  /// A response object is a lightweight handle: a document and a position in it. All values were
  /// checked against the schema when the document was read, so reading one cannot fail, with one
  /// exception: a plain accessor of a field that the operation did not select stops the program,
  /// with a message that names the selection to add. Use ``ResponseReading/has(_:)`` and
  /// ``ResponseReading/read(_:)`` to check first. A subclass of an `open` generated class must stay
  /// immutable, too.
  // Safe: all stored properties are constants of Sendable types, but `nextKey`, which is accessed only by
  // atomic operations; subclasses add none.
  open class AbstractResponse: @unchecked Sendable, CustomDebugStringConvertible {
    /// The schema of the generated module; nil for a raw response.
    open class var schema: SchemaTable? { nil }

    /// The key after the one that was found last. Fields are usually read in the order of the
    /// selection and are then found here at once; searching each from the first key took twice as
    /// long. This is a hint that any thread may set; 0 in a stored record in which none was found.
    ///
    /// Used only by ``hint``. It comes first because its address is needed, see ``firstProperty(of:as:)``.
    private final var nextKey: UInt32
    /// The object's position in the document, in which all positions fit into 31 bits. For a stored
    /// record, the complement of its ordinal, since its position is not known before it is read.
    private final let place: Int32
    final let document: ResponseDocument

    public required init(_handle handle: ResponseHandle) {
      document = handle.document
      place = Int32(truncatingIfNeeded: handle.index)
      nextKey = place < 0 ? 0 : UInt32(truncatingIfNeeded: handle.index &+ 2)
    }

    /// ``nextKey``, without ordering among threads.
    // Safe: the property is the first one of this class, which has no superclass.
    @inline(__always)
    private final var hint: Int {
      get { Int(unsafe treeswift_load_hint(firstProperty(of: self, as: UInt32.self))) }
      set {
        unsafe treeswift_store_hint(
          firstProperty(of: self, as: UInt32.self), UInt32(truncatingIfNeeded: newValue))
      }
    }

    /// The object's position in the document.
    final var index: Int {
      @inline(__always)
      get { place >= 0 ? Int(place) : document.position(ofRecord: ~Int(place)) }
    }

    /// The position of a field's value if the field follows the one that was read last, as most do, in a direct
    /// document. The caller reads the value with ``ResponseDocument/directTape``, and calls ``didRead(upTo:)``.
    // Safe: the position is that of an object in the document, which it references, and the hint is
    // one of its keys.
    @inline(__always)
    final func findNext(_ name: StaticString, _ alias: String?) -> Int? {
      guard alias == nil, document.isDirect else { return nil }
      return unsafe document.directTape.member(name, of: Int(place), at: hint)
    }

    /// Notes the end of the value that was read.
    @inline(__always)
    final func didRead(upTo end: Int) { hint = end }

    /// The position of a field's value, if no object has a key twice.
    // Safe: the index is that of a value in the document, which it references, and the hint is one
    // of its keys.
    @inline(__always)
    fileprivate final func findUnique(_ name: StaticString) -> Int? {
      let tape = unsafe document.tape
      let index = index
      let known = hint
      let first = unsafe known == 0 ? tape.firstChild(of: index) : known
      guard let value = unsafe tape.uniqueMember(name, of: index, from: first) else { return nil }
      hint = unsafe tape.next(after: value)
      return value
    }

    /// The object's JSON as it arrived.
    public var debugDescription: String {
      "\(Self.self) \(String(decoding: document.json.source(at: index), as: UTF8.self))"
    }
  }

  /// A document and the position of an object in it.
  public struct ResponseHandle: Sendable {
    let document: ResponseDocument
    let index: Int
  }
}

extension GraphQL.AbstractResponse {
  /// The table of the class's type.
  final var typeInfo: GraphQL.TypeInfo? {
    document.schema?.type(of: Self.self)
  }

  final func reader(_ index: Int) -> GraphQL.ValueReader {
    GraphQL.ValueReader(document: document.children, index: index)
  }

  /// A reader of a value that contains no object, or of any value of a plain document. Creating it
  /// retains no reference.
  @inline(__always)
  final func plainReader(_ index: Int) -> GraphQL.ValueReader {
    GraphQL.ValueReader(document: document, index: index)
  }

  /// The position of a field's value, nil when the response has none.
  @inline(never)
  final func _find(_ name: StaticString, _ alias: String?) -> Int? {
    guard let alias = alias ?? document.alias else {
      guard document.hasUniqueKeys else { return document.json.member(name, of: index) }
      return findUnique(name)
    }
    return document.json.member("\(name)__\(alias)", of: index)
  }
}

extension GraphQL {
  /// The type as which the `data` of a response is read: a generated response class, or the generated struct of a typed
  /// operation. A cast `as?` needs a concrete type, ``AbstractResponse`` or `any GraphQL.SelectedDocument`.
  // A marker, for the size of generated code; see `SelectedObject`.
  @_marker public protocol ResponseRoot: Sendable {}
}

extension GraphQL.AbstractResponse: GraphQL.ResponseRoot {}

extension GraphQL.ResponseHandle {
  /// The object in the document with the text; the handle itself if it is not a record.
  var text: GraphQL.ResponseHandle { document.text ?? self }
}
