// Writes the Swift program that calls every declaration of a generated module.
//
// Usage: emit-member-calls --schema FILE --config FILE --module NAME
//
// The program is written to standard output. `Tests/run member-coverage` builds and runs it.
import Foundation
import GraphQLCodeGen
import GraphQLSchema

let options = try EmitterOptions(CommandLine.arguments.dropFirst())
let input = try EmitterInput(options)
print(ProgramEmitter(input: input, module: options.module).program())
