import GraphQLCodeGen
import GraphQLPrinting
import GraphQLSchema

/// An accepted schema survives printing, introspection and generation.
enum SchemaTarget: FuzzTarget {
  static let name = "sdl"

  static func run(_ input: [UInt8]) {
    let source = Source(name: "fuzz.graphqls", bytes: input)
    guard let schema = try? ServiceSchema(sources: [source]) else { return }
    check(schema)
  }

  static func check(_ schema: ServiceSchema) {
    let sdl = schema.sdl
    guard let again = try? ServiceSchema(sdl: sdl) else {
      fatalError("the printed text is rejected: \(sdl)")
    }
    require(again.sdl == sdl, "printing is stable")
    let result = schema.introspectionResult()
    do {
      let back = try ServiceSchema(introspection: Source(name: "fuzz.json", bytes: result))
      require(
        back.introspectionResult() == result, "the introspection result contains the whole schema")
    } catch {
      fatalError("the introspection of an accepted schema is rejected: \(error)")
    }
    // Names that Swift does not allow are refused; no other outcome is allowed.
    _ = try? GeneratorPipeline().run(schema)
  }
}

/// The same for schemas that are introspection results.
enum IntrospectionTarget: FuzzTarget {
  static let name = "introspection"

  static func run(_ input: [UInt8]) {
    let source = Source(name: "fuzz.json", bytes: input)
    guard let schema = try? ServiceSchema(introspection: source) else { return }
    SchemaTarget.check(schema)
  }
}

/// An accepted document survives printing; validation always ends.
enum DocumentTarget: FuzzTarget {
  static let name = "document"

  private static let schema: ServiceSchema = {
    do {
      return try ServiceSchema(
        sdl: """
          directive @mark(text: String = "a", nest: Nest) repeatable on FIELD | QUERY
          interface Node { id: ID! }
          type Book implements Node { id: ID! title(upper: Boolean = false): String author: Author
            sequel: Book similar(first: Int, where: Nest): [Book!]! }
          type Author implements Node { id: ID! name: String books(first: Int = 1): [Book] }
          union Work = Book | Author
          enum Order { UP DOWN }
          input Nest { a: Int b: [Nest!] c: String = "x" order: Order! = UP }
          input One @oneOf { a: Int b: String }
          type Query { node(id: ID!): Node work(by: One, in: [Order!]): Work book(id: ID): Book
            authors: [Author] }
          type Mutation { add(title: String!, nest: Nest): Book }
          type Subscription { added(order: Order): Book other: Int }
          """)
    } catch {
      fatalError("\(error)")
    }
  }()

  static func run(_ input: [UInt8]) {
    let source = Source(name: "fuzz.graphql", bytes: input)
    guard let document = try? Document(parsing: source) else { return }
    let text = document.text
    do {
      let again = try Document(parsing: Source(name: "printed.graphql", text: text))
      require(again.text == text, "printing is stable")
      require(again == document, "the printed document equals the read document")
    } catch {
      fatalError("the printed text is rejected: \(text)\n\(error)")
    }
    _ = document.validate(against: schema)
  }
}

/// A configuration is refused with a location, or can be used.
enum ConfigurationTarget: FuzzTarget {
  static let name = "configuration"

  private static let schema: ServiceSchema = {
    do {
      return try ServiceSchema(
        sdl: "scalar Date type Query { a: Date b(c: In): Query } input In { d: Int } enum E { F }")
    } catch {
      fatalError("\(error)")
    }
  }()

  static func run(_ input: [UInt8]) {
    let source = Source(name: "graphql-generator.json", bytes: input)
    do {
      let configuration = try Configuration(parsing: source)
      _ = try? GeneratorPipeline(configuration: configuration).run(schema)
    } catch {
      require(!error.elements.isEmpty, "a refusal has a reason")
    }
  }
}
