import GraphJSON

/// The run that a page belongs to, and its number in it. Consecutive pages of a run have consecutive
/// numbers; prepended pages have negative ones.
struct PageNumber: Hashable {
  let run: Int
  let number: Int
}

extension PageNumber {
  init?(_ record: JSONDocument) {
    let json = record.json(at: JSONDocument.rootIndex)
    guard case .array(let numbers)? = json["&page"], numbers.count == 2,
      let run = numbers[0].integer, let number = numbers[1].integer
    else { return nil }
    self.init(run: run, number: number)
  }

  func record(typeName: String) -> [UInt8] {
    Array("{\"__typename\":\"\(typeName)\",\"&page\":[\(run),\(number)]}".utf8)
  }
}
