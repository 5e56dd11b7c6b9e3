extension GraphQL {
  /// Printed requests of one schema, and plans for checking their responses.
  final class RequestCaches: SchemaCaches {
    /// A program has as many documents as call sites that build one, unless it builds them from
    /// data. In that case plans are created again from time to time, and not kept forever.
    private static let maximumPlanCount = 256

    let printedRequests = Locked(PrintedRequests())
    private let plans = Locked<[String: SharedResponsePlan]>([:])
    private let documents = Locked<[DocumentKey: LoadedDocument]>([:])

    /// The addresses of literals. Operations of two modules may have one text, and differ in what is not sent.
    private struct DocumentKey: Hashable {
      let text: UInt
      let directives: UInt?
    }

    /// The plan that plain operations with the text `document` share.
    func plan(of document: String) -> SharedResponsePlan {
      plans.withLock { plans in
        if let known = plans[document] { return known }
        if plans.count >= Self.maximumPlanCount { plans.removeAll() }
        let plan = SharedResponsePlan()
        plans[document] = plan
        return plan
      }
    }

    /// The document with a generated text.
    // Safe: the addresses of the literals are compared, nothing is read.
    func loaded(_ document: DocumentText) -> LoadedDocument {
      let key = DocumentKey(
        text: UInt(bitPattern: unsafe document.text.utf8Start),
        directives: document.directives.map { UInt(bitPattern: unsafe $0.utf8Start) })
      return documents.withLock { documents in
        if let known = documents[key] { return known }
        let loaded = LoadedDocument(document)
        documents[key] = loaded
        return loaded
      }
    }
  }
}

extension GraphQL.SchemaTable {
  /// - Parameters:
  ///   - name: the generated namespace.
  ///   - table: the text described above.
  ///   - queries: the builder class of each object, interface and union, in the table's order.
  ///   - responses: the response class of each, in the same order.
  ///   - scalars: the Swift types of custom scalars.
  public convenience init(
    name: String, table: StaticString, queries: [GraphQL.AbstractQuery.Type],
    responses: [GraphQL.AbstractResponse.Type], scalars: [GraphQL.ScalarBinding]
  ) {
    self.init(
      name: name, table: table, builders: queries, responses: responses, scalars: scalars,
      caches: GraphQL.RequestCaches())
  }

  /// ``caches``, which the initialiser above has set.
  var requestCaches: GraphQL.RequestCaches {
    guard let caches = caches as? GraphQL.RequestCaches else {
      preconditionFailure("a schema table has no caches for requests")
    }
    return caches
  }
}
