import GraphJSON

// Reports how far each case is accepted: check-cases < cases.jsonl > outcomes.jsonl. corpora.py describes
// the cases and makes graphql-core's outcomes.

var checker = Checker()
while let line = readLine() {
  let test = try JSON(parsing: Array(line.utf8))
  guard case .string(let text)? = test["text"] else { fatalError("a case without text") }
  if case .string(let schema)? = test["schema"] {
    print(checker.outcome(text, on: schema))
  } else {
    print(checker.outcome(text, on: nil))
  }
}
