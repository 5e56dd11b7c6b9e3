extension Transaction: Storage {
  public var _reader: StorageReader { StorageReader(policies: policies, reading: self) }
}
