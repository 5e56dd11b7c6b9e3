import GraphJSON
import Testing

@testable import GraphQLRuntime

/// Records of layouts that are written by hand.
@Suite struct RecordLayoutTests {
  private func step(
    _ key: String, _ slot: Int, isFirst: Bool = false, _ leaf: RecordStep.Leaf,
    isList: Bool = false, check: RecordStep.TextCheck? = nil
  ) -> RecordStep {
    RecordStep(
      key: Array(key.utf8), isFirst: isFirst, leaf: leaf, isList: isList, isNested: false,
      isNonNull: false, isElementNonNull: false, scalar: 7, textCheck: check,
      targets: [RecordLayout.Target(slot: slot, part: 0)], below: nil)
  }

  private func parse(
    _ json: String, _ steps: [RecordStep], slotCount: Int,
    to form: ResponseParser.Form = .records, wordsPerByte: inout Double
  ) -> ResponseParser.Result? {
    var text = Array(json.utf8)
    JSONDocument.pad(&text)
    let layout = UnsafeMutablePointer<RecordLayout>.allocate(capacity: 1)
    layout.initialize(
      to: RecordLayout(
        steps: steps, parts: [RecordLayout.Part(offset: 0, slotCount: slotCount)], links: [],
        size: slotCount + 1))
    defer {
      layout.pointee.deallocate()
      layout.deallocate()
    }
    return ResponseParser.parse(text, layout, to: form, wordsPerByte: &wordsPerByte)
  }

  private func text(_ records: JSONDocument, _ slot: Int) -> String {
    String(decoding: records.source(at: slot), as: UTF8.self)
  }

  /// Only those that are not certainly valid, at the places where they are read.
  @Test func scalarsToCheckAreListed() throws {
    let isLong: RecordStep.TextCheck = { _, count in count > 2 }
    var wordsPerByte = 0.1
    let result = try #require(
      parse(
        #"{"data":{"a":["long","s",null,"\u0061bc",12,"longer"],"b":"x","c":"yes"}}"#,
        [
          step("a", 1, isFirst: true, .scalar, isList: true, check: isLong),
          step("b", 2, .scalar, check: isLong), step("c", 3, .scalar, check: isLong),
        ], slotCount: 3, wordsPerByte: &wordsPerByte))
    #expect(
      result.unchecked.map { text(result.data, $0.slot) } == [
        #""s""#, #""\u0061bc""#, "12", #""x""#,
      ])
    #expect(result.unchecked.allSatisfy { $0.scalar == 7 })
    #expect(result.data.count(at: result.data.tape[1].offset) == 6)
  }

  /// A second response of the form needs no second pass, and elements may fill all the memory.
  @Test(arguments: [0, 1, 50, 5_000]) func memoryIsExtended(_ count: Int) throws {
    let elements = (0..<count).map { String($0 % 10) }
    let json = #"{"data":{"numbers":[\#(elements.joined(separator: ","))]}}"#
    let steps = { [step("numbers", 1, isFirst: true, .int, isList: true)] }
    var wordsPerByte = 0.000_1
    for _ in 0..<2 {
      let result = try #require(
        parse(json, steps(), slotCount: 1, wordsPerByte: &wordsPerByte))
      let block = result.data.tape[1].offset
      #expect(result.data.count(at: block) == count)
      #expect((0..<count).map { text(result.data, block + 2 + $0) } == elements)
      // The elements are in the memory twice for a moment.
      #expect(abs(wordsPerByte * Double(json.utf8.count + 8) - Double(4 + 2 * count)) < 1)
    }
  }

  @Test(arguments: [
    #"{"data":{"a":1,"a_name_of_more_than_sixteen_bytes":"x","b":true}}"#,
    " { \"data\" :{ \"a\" : 1 ,\n\t\"a_name_of_more_than_sixteen_bytes\" :\"x\",\r\n \"b\":true\n} } ",
  ])
  func spacesAreAllowed(_ json: String) throws {
    var wordsPerByte = 1.0
    let result = parse(
      json.replacing("\"data\" :", with: "\"data\":"),
      [
        step("a", 1, isFirst: true, .int),
        step("a_name_of_more_than_sixteen_bytes", 2, .string), step("b", 4, .boolean),
      ], slotCount: 4, wordsPerByte: &wordsPerByte)
    let records = try #require(result).data
    #expect((1...4).map { text(records, $0) } == ["1", #""x""#, "", "true"])
  }

  /// A tape has the words that the general parser writes.
  @Test(arguments: [
    "{\"a\":[],\"b\":-1.5,\"c\":\"\\u0061é\"}",
    "{ \"a\" : [ 1 , null,23 ] ,\"b\":null, \"c\":null }\n",
  ])
  func tapesAreThoseOfTheGeneralParser(_ data: String) throws {
    let steps = [
      step("a", 1, isFirst: true, .int, isList: true), step("b", 2, .float), step("c", 3, .string),
    ]
    var wordsPerByte = 0.01
    let text = "{\"data\":" + data + ",\"extensions\":{}}"
    let tape = try #require(
      parse(text, steps, slotCount: 3, to: .tape, wordsPerByte: &wordsPerByte)
    ).data
    let general = try JSONDocument(parsing: text)
    let object = try #require(general.member("data", of: 0))
    #expect(tape.json(at: 0) == general.json(at: object))
    #expect(tape.source(at: 0).elementsEqual(general.source(at: object)))
    #expect(tape.tape.count == general.tape[object + 1].tapeEnd - object)
    for index in tape.tape.indices {
      let (word, other) = (tape.tape[index], general.tape[object + index])
      let isSecond = index > 0 && tape.tape[index - 1].isContainer
      #expect(isSecond ? word.sourceEnd == other.sourceEnd : word.bits == other.bits)
      #expect(!isSecond || word.tapeEnd == other.tapeEnd - object)
    }
  }

  @Test(arguments: [
    #"{"data":{"b":1,"a":1}}"#, #"{"data":{"a":1 "b":1}}"#, #"{"data":{"a":1,,"b":1}}"#,
    #"{"data":{,"a":1,"b":1}}"#, #"{"data":{"a":1,"b":1,}}"#, #"{"data":{"a"1,"b":1}}"#,
    #"{"data":{"a":1,"b":1"#, #"{"data":{"a":1,"b"#, #"{"data":{"a":1,"#, #"{"data":{"a":1}}"#,
  ])
  func otherFormsAreRefused(_ json: String) {
    var wordsPerByte = 1.0
    for form in [ResponseParser.Form.records, .tape] {
      let steps = [step("a", 1, isFirst: true, .int), step("b", 2, .int)]
      #expect(parse(json, steps, slotCount: 2, to: form, wordsPerByte: &wordsPerByte) == nil)
    }
  }
}
