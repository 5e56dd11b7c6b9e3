import GraphJSON

extension GraphQL.Operation {
  /// The response if it is as servers usually send them; nil if it has to be read in general.
  ///
  /// - Parameter padded: the text, with padding.
  func usualResponse(
    _ padded: [UInt8], _ context: GraphQL.ResponseContext = .complete
  ) -> GraphQL.Response<Root>? {
    guard let schema = content.schema else { return nil }
    let interval = SignpostInterval.begin(.parse)
    defer { interval.end() }
    return content.withPlan { usualResponse(padded, context, $0, schema) } ?? nil
  }

  // Safe: the plan owns the layout, and no other thread uses the plan during the call.
  private func usualResponse(
    _ padded: [UInt8], _ context: GraphQL.ResponseContext, _ plan: GraphQL.ResponsePlan,
    _ schema: GraphQL.SchemaTable
  ) -> GraphQL.Response<Root>? {
    let fields = plan.check.collected
    let parsing = plan.parsing
    let layout =
      plan.records.map { $0.plan(fields, in: schema).layout }
      ?? plan.check.usualLayout(parsing.scalars)
    guard let layout,
      let result = unsafe ResponseParser.parse(
        padded, layout.pointer, to: plan.records == nil ? .tape : .records,
        wordsPerByte: &parsing.wordsPerByte),
      let rest = try? result.rest.map({ try GraphQL.ResponseEnvelope(membersAfterData: $0) })
        ?? GraphQL.ResponseEnvelope.empty
    else { return nil }
    let document = document(
      result.data, padded, isTyped: plan.records != nil, context.with(rest.errors), schema)
    guard accepts(result, parsing.scalars.types, document) else { return nil }
    let handle = GraphQL.ResponseHandle(document: document, index: JSONDocument.rootIndex)
    return GraphQL.Response(
      data: Root(root: handle), errors: rest.errors, extensions: rest.extensions)
  }

  private func document(
    _ data: JSONDocument, _ padded: [UInt8], isTyped: Bool, _ context: GraphQL.ResponseContext,
    _ schema: GraphQL.SchemaTable
  ) -> GraphQL.ResponseDocument {
    if isTyped {
      let text = GraphQL.RecordedText(padded, schema: schema, operation: content, context)
      return GraphQL.ResponseDocument(GraphQL.RecordsSource(data, of: text), schema: schema)
    }
    let source = GraphQL.ParsedSource(
      json: data, root: JSONDocument.rootIndex, operation: content, context: context)
    return GraphQL.ResponseDocument(source, schema: schema).withUniqueKeys
  }

  /// Whether the scalars that were not checked are valid.
  // Safe: the slots are those of values in the document.
  private func accepts(
    _ result: ResponseParser.Result, _ scalars: [any GraphQL.Scalar.Type],
    _ document: GraphQL.ResponseDocument
  ) -> Bool {
    let check = GraphQL.LeafCheck(result.data)
    return result.unchecked.allSatisfy { value in
      let type = scalars[value.scalar]
      return unsafe type._plainText?.accepts(value.slot, in: document.directTape) ?? false
        || check.problem(value.slot, .scalar(type)) == nil
    }
  }
}
