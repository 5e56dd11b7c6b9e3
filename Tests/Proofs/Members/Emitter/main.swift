// Writes the Swift program that calls every declaration of a generated module.
//
// Usage: emit-exerciser --schema FILE --config FILE --module NAME
//
// The program is written to standard output. This target is not a product: Tests/Scripts/exerciser
// runs it.
import Foundation
import GraphQLCodeGen
import GraphQLSchema

let options = try ExerciserOptions(CommandLine.arguments.dropFirst())
let input = try ExerciserInput(options)
print(ExerciserEmitter(input: input, module: options.module).program())
