import GraphQLCodeGen

/// The names that Swift sources read as members, after a full stop: `.title`, `\.title`.
struct MemberReads {
  private var names: Set<String> = []

  init(sources: UsageSources) throws {
    var names: Set<String> = []
    try sources.forEach { _, contents in
      var isMember = false
      for token in SwiftScanner.tokens(of: contents) {
        if isMember { names.insert(token.text) }
        isMember = token.text == "."
      }
    }
    self.names = names
  }

  func contains(_ name: String) -> Bool { names.contains(name) }
}
