import GraphJSON

// Reports how far each case is accepted: check-cases < cases.jsonl > verdicts.jsonl. corpora.py describes
// the cases and makes graphql-core's verdicts.

var checker = Checker()
while let line = readLine() {
  let test = try JSON(parsing: Array(line.utf8))
  guard case .string(let text)? = test["text"] else { fatalError("a case without text") }
  if case .string(let schema)? = test["schema"] {
    print(checker.verdict(text, on: schema))
  } else {
    print(checker.verdict(text, on: nil))
  }
}
