extension Graph.Transaction: Graph.ObjectReading {
  public var _reader: Graph.ObjectReader { Graph.ObjectReader(policies: policies, reading: self) }
}
