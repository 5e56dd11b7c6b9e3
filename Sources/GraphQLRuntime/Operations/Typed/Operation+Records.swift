import GraphJSON

extension GraphQL.Operation {
  /// The response of a typed operation, if it is as servers usually send them; nil if it has to be read in
  /// general.
  ///
  /// - Parameter padded: the text, with padding.
  // Safe: the plan owns the layout, and no other thread uses the plan during the call.
  func usualResponse(
    _ padded: [UInt8], _ progress: GraphQL.ResponseProgress = .complete
  ) -> GraphQL.Response<Root>? {
    guard content.isTyped, let schema = content.schema else { return nil }
    let interval = SignpostInterval.begin(.parse)
    defer { interval.end() }
    return content.withPlan { plan -> GraphQL.Response<Root>? in
      guard let place = plan.records,
        let layout = unsafe place.plan(plan.check.collected, in: schema).layout,
        let result = unsafe RecordParser.parse(padded, layout, wordsPerByte: &place.wordsPerByte),
        let rest = try? result.rest.map({ try GraphQL.ResponseEnvelope(membersAfterData: $0) })
          ?? GraphQL.ResponseEnvelope.empty
      else { return nil }
      let text = GraphQL.RecordedText(padded, schema: schema, operation: content, rest.errors, progress)
      let document = GraphQL.ResponseDocument(
        GraphQL.RecordsSource(result.records, of: text), schema: schema)
      let types = place.scalars.types
      let check = GraphQL.LeafCheck(result.records)
      for value in result.unchecked {
        let type = types[value.scalar]
        guard
          unsafe type._plainText?.accepts(value.slot, in: document.directTape) ?? false
            || check.problem(value.slot, .scalar(type)) == nil
        else { return nil }
      }
      let handle = GraphQL.ResponseHandle(document: document, index: JSONDocument.rootIndex)
      return GraphQL.Response(
        data: Root(_handle: handle), errors: rest.errors, extensions: rest.extensions)
    } ?? nil
  }
}
