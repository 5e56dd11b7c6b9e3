import GraphJSON

extension GraphQL {
  /// Another document, through which `value(_:alias:)` reads the fields of one object.
  struct AliasSource: ResponseSource {
    let alias: String
    /// The document behind the view: an alias applies to one level only.
    let document: ResponseDocument

    var json: JSONDocument { document.json }

    // Safe: the document references its text, whose memory this is.
    var tape: JSONTape { unsafe document.tape }

    func path(to index: Int) -> [ResponsePathElement] { document.path(to: index) }

    func selects(
      _ responseName: String, at path: [ResponsePathElement], in document: ResponseDocument
    ) -> Bool {
      self.document.selects(responseName, at: path)
    }

    func position(ofRecord ordinal: Int) -> Int { document.position(ofRecord: ordinal) }

    var links: (any StoredLinks)? { document.links }
    var probe: ProbeSource? { document.probe }
    var view: AliasSource? { self }
  }
}
