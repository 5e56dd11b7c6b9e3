import Foundation

exit(StoreTool.run(Array(CommandLine.arguments.dropFirst())))
