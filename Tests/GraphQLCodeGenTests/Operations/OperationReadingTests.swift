import Foundation
import GraphQLCodeGen
import GraphQLRuntime
import Testing

/// The generated code of the reference reads responses: generator and runtime agree about every slot.
@Suite struct OperationReadingTests {
  private func read<Operation: GraphQL.TypedOperation>(
    _ operation: Operation, _ json: String
  ) throws -> Operation.Response {
    let response = try operation.operation().response(from: Array("{\"data\":\(json)}".utf8))
    return try #require(response.data)
  }

  /// The runtime reads the names from the texts. The manifest has those of the documents.
  @Test func namesAreThoseOfTheDocuments() throws {
    #expect(try SearchQuery(text: "").operation().name == "Search")
    #expect(try CrowdQuery().operation().name == "Crowd")
    #expect(try HerdQuery(now: true).operation().name == "Herd")
    #expect(try VisitorsSubscription(zoo: "1").operation().name == "Visitors")
    #expect(try ParkDocuments.CrowdQuery().operation().name == "Crowd")
  }

  @Test func unionsAreReadByTheirTypes() throws {
    let data = try read(
      SearchQuery(text: "a"),
      """
      {"search":[
        {"__typename":"Dog","id":"1","name":"Rex","barks":true},
        {"__typename":"Cat","lives":9,"id":"2","friend":{"name":"Tom","id":"3"}},
        {"__typename":"Person","name":"Ann","kind":"ADULT","bestFriend":null,"id":"4"},
        {"__typename":"Robot"}]}
      """)
    let dog = try #require(data.search[0].asDog)
    #expect(dog.id == "1" && dog.name == "Rex" && dog.barks)
    #expect(data.search[0].asCat == nil && data.search[0].personCard == nil)
    let cat = try #require(data.search[1].asCat)
    #expect(cat.lives == 9 && cat.friend?.name == "Tom")
    let card = try #require(data.search[2].personCard)
    #expect(card.name == "Ann" && card.kind == .adult && card.bestFriend == nil)
    guard case .dog(let found) = data.search[0].kind, case .other("Robot") = data.search[3].kind
    else {
      Issue.record("\(data.search)")
      return
    }
    #expect(found == dog)
  }

  @Test func modulesWithoutBuildersReadTheSame() throws {
    let json = """
      {"search":[
        {"__typename":"Dog","id":"1","name":"Rex","barks":true},
        {"__typename":"Person","name":"Ann","kind":"ADULT","bestFriend":null,"id":"4"},
        {"__typename":"Robot"}]}
      """
    let query = ParkDocuments.SearchQuery(text: "a")
    #expect(try query.operation().document == SearchQuery(text: "a").operation().document)
    let search = try read(query, json).search
    #expect(search[0].asDog?.name == "Rex" && search[0].asDog?.barks == true)
    #expect(search[1].personCard?.kind == Park.Kind.adult)
    guard case .other("Robot") = search[2].kind else {
      Issue.record("\(search)")
      return
    }
    #expect(throws: (any Error).self) { try read(query, #"{"search":[{"__typename":"Dog"}]}"#) }
  }

  @Test(arguments: [true, false])
  func conditionsDecideAboutOptionals(long: Bool) throws {
    let query = PeopleQuery(first: 3, sizes: [1, 2], long: long).null("filter")
    let optional =
      long
      ? #""best_friend":{"name":"Bob","kind":"CHILD","birthday":"2020-02-29","id":"5"}"#
      : #""favorites":[null,{"__typename":"Dog","name":"Rex","id":"6","friend":{"name":"A","friend":null,"id":"7"}}]"#
    let optionalOfOthers = optional.replacing(
      #""friend":{"name":"A","friend":null,"id":"7"}"#,
      with: #""friend":{"__typename":"Dog","name":"A","friend":null,"id":"7"}"#)
    let data = try read(
      query,
      """
      {"people":[{"name":"Ann","kind":"ADULT","id":"1",
        "bestFriend":{"name":"Eve","birthday":null,"kind":"CHILD","id":"8"},
        "luckyNumbers":[3,7],"garden":[[{"row":1,"column":2}],[]],
        "friends":{"nodes":[
          {"__typename":"Dog","name":"Rex","size":null,"colors":["DARK_BLUE","PINK"],"id":"9"}],
          "edges":[null,{"cursor":"c","node":{"__typename":"Cat","name":"Tom","id":"10"}}],
          "pageInfo":{"hasNextPage":true,"endCursor":null}},\(optionalOfOthers)}]}
      """)
    let person = try #require(data.people.first)
    #expect(person.personCard.name == "Ann" && person.personCard.bestFriend?.name == "Eve")
    #expect(person.luckyNumbers == [3, 7])
    #expect(person.garden?.map { $0.map(\.column) } == [[2], []])
    let node = try #require(person.friends.nodes.first)
    #expect(node.name == "Rex" && node.asAnimal?.colors == [.darkBlue, .unknownValue("PINK")])
    #expect(node.asAnimal?.size == nil && node.asAnimal?.name == "Rex")
    #expect(person.friends.edges?.map { $0?.node?.name } == [nil, "Tom"])
    #expect(person.friends.edges?[1]?.node?.__typename == "Cat")
    #expect(person.friends.pageInfo.hasNextPage && person.friends.pageInfo.endCursor == nil)
    #expect(person.bestFriend?.name == (long ? "Bob" : nil))
    #expect(person.bestFriend?.kind == (long ? .child : nil))
    #expect((person.favorites == nil) == long)
    #expect(person.favorites?[1]?.friend?.name == (long ? nil : "A"))
    #expect(person.favorites?[1]?.friend?.friend == nil)
  }

  @Test func narrowedObjectsRepeatWhatIsAroundThem() throws {
    let query = AnimalsQuery(choice: .id("1"))
    let data = try read(
      query,
      """
      {"animals":[
        {"__typename":"Dog","name":"Rex","size":4,"colors":[],"weight":2.5,"id":"1",
         "friend":{"__typename":"Dog","size":3,"name":"Max","id":"3"},
         "owner":{"name":"Ann","id":"9"}},
        {"__typename":"Whale","name":"Moby","friend":null,"size":null,"colors":["RED"],"id":"2",
         "depth":300.5}],
       "person":null}
      """)
    let dog = try #require(data.animals.first)
    #expect(dog.name == "Rex" && dog.friend?.size == 3)
    let pet = try #require(dog.asPet)
    #expect(pet.name == "Rex" && pet.friend?.size == 3 && pet.friend?.name == "Max")
    #expect(pet.owner?.name == "Ann")
    let inner = try #require(pet.asDog)
    #expect(inner.friend?.name == "Max" && inner.owner?.name == "Ann")
    #expect(dog.sizes?.size == 4 && dog.sizes?.asWhale == nil)
    let whale = try #require(data.animals.last)
    #expect(whale.asPet == nil && whale.friend == nil)
    #expect(whale.deferredDeepSea?.depth == 300.5)
    #expect(whale.sizes?.asWhale?.depth == 300.5 && whale.sizes?.colors == [.red])
    #expect(data.person == nil)
  }

  @Test func deferredPartsMayBeMissing() throws {
    let data = try read(
      AnimalsQuery(choice: .name("x")),
      """
      {"animals":[{"__typename":"Whale","name":"Moby","friend":null,"id":"2"}],"person":{"id":"1"}}
      """)
    #expect(data.animals[0].name == "Moby" && data.animals[0].sizes == nil)
    #expect(data.animals[0].deferredDeepSea == nil)
    #expect(data.person?.id == "1")
  }

  /// A part of a response of `Crowd`, after `hasNext` payloads.
  private func crowd(
    _ json: String, hasNext: Bool, announced: [GraphQL.ResponseContext.Part]? = nil,
    failed: [GraphQL.ResponseContext.Part] = [], errors: String = "[]"
  ) throws -> CrowdQuery.Data {
    var progress = GraphQL.ResponseContext()
    progress.hasNext = hasNext
    progress.announced = announced.map(Set.init)
    progress.failed = Set(failed)
    let text = "{\"data\":\(json),\"errors\":\(errors)}"
    return try #require(
      CrowdQuery().operation().response(from: Array(text.utf8), progress).data)
  }

  @Test func aDeferredFragmentIsThereOnceAllOfItIs() throws {
    // `friend` is selected twice, and its name has not arrived.
    let text = """
      {"people":[{"name":"Ann","id":"1"}],
       "animals":[{"__typename":"Dog","name":"Rex","friend":{"__typename":"Dog","size":3,"id":"3"},"id":"2"}]}
      """
    let dog = try crowd(text, hasNext: true).animals[0]
    #expect(dog.friend?.size == 3 && dog.deferredMates == nil)
    #expect(dog.deferredMatesDelivery == .pending && dog.sizesDelivery == .pending)
    let last = try crowd(text, hasNext: false).animals[0]
    // A view that shows one of them has to be updated for the other.
    #expect(last.deferredMatesDelivery == .failed([]) && last != dog)
    let whole = try crowd(
      text.replacing("\"size\":3", with: "\"size\":3,\"name\":\"Max\""), hasNext: true
    ).animals[0]
    #expect(whole.deferredMates?.friend?.name == "Max")
    #expect(whole.deferredMatesDelivery == .complete && whole.sizesDelivery == .pending)
  }

  @Test func aFailedFragmentHasItsErrors() throws {
    let path: [GraphQL.ResponsePathElement] = [.key("animals"), .index(1)]
    let animals = try crowd(
      """
      {"people":[],"animals":[
        {"__typename":"Dog","name":"Rex","friend":null,"id":"2"},
        {"__typename":"Dog","name":"Max","friend":{"__typename":"Dog","size":1,"id":"5"},"id":"3"}]}
      """,
      hasNext: true, failed: [GraphQL.ResponseContext.Part(path, "mates")],
      errors: """
        [{"message":"a","path":["animals",1,"friend","name"]},{"message":"b","path":["people"]}]
        """
    ).animals
    #expect(
      animals[0].deferredMatesDelivery == .complete && animals[0].deferredMates?.friend == nil)
    guard case .failed(let errors) = animals[1].deferredMatesDelivery else {
      Issue.record("\(animals[1].deferredMatesDelivery)")
      return
    }
    #expect(errors.map(\.message) == ["a"] && animals[1].sizesDelivery == .pending)
  }

  @Test func aStreamedListIsPendingUntilItsEnd() throws {
    let text = #"{"people":[{"name":"Ann","id":"1"}],"animals":[]}"#
    let people = GraphQL.ResponseContext.Part([.key("people")], "people")
    let other = GraphQL.ResponseContext.Part([.key("animals"), .index(0)], nil)
    #expect(try crowd(text, hasNext: true).peopleDelivery == .pending)
    #expect(try crowd(text, hasNext: true, announced: [people]).peopleDelivery == .pending)
    #expect(try crowd(text, hasNext: true, announced: [other]).peopleDelivery == .complete)
    #expect(try crowd(text, hasNext: false, announced: [people]).peopleDelivery == .complete)
    #expect(try crowd(text, hasNext: true, failed: [people]).peopleDelivery == .failed([]))
  }

  @Test func aFragmentThatOneSpreadDefersIsThereOnlyIfItHasArrived() throws {
    func herd(now: Bool, _ animal: String, person: String) throws -> HerdQuery.Data {
      let text = """
        {"data":{"animals":[{"__typename":"Dog","name":"Rex","id":"1"\(animal)}],
        "people":[{"name":"Ann"\(person),"id":"2"}]}}
        """
      var context = GraphQL.ResponseContext()
      context.hasNext = true
      return try #require(
        HerdQuery(now: now).operation().response(from: Array(text.utf8), context).data)
    }
    let sizes = #","size":3,"colors":[]"#
    let garden = #","garden":null"#
    let pending = try herd(now: false, "", person: garden)
    #expect(pending.animals[0].sizes == nil && pending.animals[0].sizesDelivery == .pending)
    #expect(pending.people[0].garden.garden == nil)
    #expect(try herd(now: false, sizes, person: garden).animals[0].sizes?.size == 3)
    #expect(try herd(now: true, sizes, person: garden).animals[0].sizesDelivery == .complete)
    #expect(throws: GraphQL.ResponseFailure.self) { try herd(now: true, "", person: garden) }
    // Another spread is not deferred.
    #expect(throws: GraphQL.ResponseFailure.self) { try herd(now: false, sizes, person: "") }
  }

  @Test func aCaughtFieldThrowsItsError() throws {
    func portrait(_ data: String, errors: String = "[]") throws -> PortraitQuery.Data {
      let text = "{\"data\":\(data),\"errors\":\(errors)}"
      let response = try PortraitQuery(name: "Rex").operation().response(from: Array(text.utf8))
      return try #require(response.data)
    }
    let whole = try portrait(
      #"{"animal":{"__typename":"Dog","size":3,"friend":null,"id":"1"}}"#,
      errors: #"[{"message":"other","path":["animal","friend"]}]"#)
    #expect(try whole.animal?.size == 3)
    let error = #"[{"message":"no size","path":["animal","size"]}]"#
    let partial = try portrait(
      #"{"animal":{"__typename":"Dog","size":null,"friend":null,"id":"1"}}"#, errors: error)
    let thrown = #expect(throws: GraphQL.ResponseError.self) { try partial.animal?.size }
    #expect(thrown?.message == "no size")
    #expect(try portrait(#"{"animal":null}"#).animal == nil)
    #expect(throws: GraphQL.ResponseError.self) {
      try portrait(#"{"animal":null}"#, errors: error).animal
    }
  }

  @Test func variablesAreWrittenAsGiven() throws {
    func text(_ operation: some GraphQL.TypedOperation) throws -> String {
      String(decoding: try operation.operation().variables, as: UTF8.self)
    }
    #expect(try text(PeopleQuery()) == "{}")
    #expect(
      try text(
        PeopleQuery(filter: .init(name: "A"), first: 2, sizes: [], long: true).null("after")
      )
        == #"{"filter":{"name":"A"},"first":2,"sizes":[],"long":true,"after":null}"#)
    #expect(try text(AnimalsQuery(choice: .name("x"))) == #"{"choice":{"name":"x"}}"#)
    let photo = GraphQL.Upload(.file(URL(filePath: "/a.png")), fileName: "a.png")
    let operation = try SetPhotoMutation(id: "1", photo: photo).operation()
    #expect(operation.uploads.map { $0.path } == ["variables.photo"])
  }
}
