// Writes the Swift program that calls everything a generated module declares.
//
// Usage: emit-exerciser --schema FILE --config FILE --module NAME
//
// The program goes to standard output. It is no product: Tests/Scripts/exerciser runs it.
import Foundation
import GraphQLCodeGen
import GraphQLSchema

let options = try ExerciserOptions(CommandLine.arguments.dropFirst())
let input = try ExerciserInput(options)
print(ExerciserEmitter(input: input, module: options.module).program())
