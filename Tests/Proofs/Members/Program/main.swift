// Usage: member-coverage print > documents.jsonl
//        member-coverage read results.jsonl
import Foundation
import GraphJSON

let arguments = CommandLine.arguments.dropFirst()
let calls: any MemberCalls = EmittedCalls()

func finish(_ recorder: Recorder, _ summary: String) -> Never {
  for failure in recorder.failures.prefix(40) {
    FileHandle.standardError.write(Data("FAILED \(failure)\n".utf8))
  }
  FileHandle.standardError.write(Data("\(summary), \(recorder.failures.count) failed\n".utf8))
  exit(recorder.failures.isEmpty && recorder.caseCount > 0 ? 0 : 1)
}

switch arguments.first {
case "print":
  let recorder = Recorder(.printing)
  calls.run(recorder)
  let unreachable =
    calls.unreachable.isEmpty
    ? "" : "; as fragments \(calls.unreachable.joined(separator: ", "))"
  finish(recorder, "\(recorder.caseCount) operations printed\(unreachable)")
case "read":
  var responses: [String: Data] = [:]
  let text = try String(contentsOfFile: arguments.dropFirst().first ?? "", encoding: .utf8)
  for line in text.split(separator: "\n") {
    let result = try JSONDocument(parsing: String(line)).root
    if let name = result["name"]?.string, let response = result["response"] {
      responses[name] = Data(result.document.source(at: response.index))
    }
  }
  let recorder = Recorder(.reading(responses))
  calls.run(recorder)
  for field in calls.fields where recorder.compared[field] == nil {
    recorder.fail(field, "no member has read it")
  }
  finish(
    recorder,
    "\(recorder.readCount) responses read, \(recorder.compared.count) fields compared "
      + "\(recorder.compared.values.reduce(0, +)) times")
default:
  FileHandle.standardError.write(Data("usage: member-coverage print | read RESULTS\n".utf8))
  exit(2)
}
