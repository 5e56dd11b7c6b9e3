import Foundation
import PackagePlugin

// project-files PROJECT TARGET [FILE …]
//
// Prints the arguments with which the build-tool plugin would run the tool for a target of an Xcode project, one a
// line, and then the inputs; an empty line follows each command. An error of the plugin is printed, and the exit
// status is 1.

let arguments = CommandLine.arguments
do {
  let project = URL(filePath: arguments[1])
  let inputs = ProjectFiles.inputs(
    of: arguments[2], listed: arguments[3...].map { project.appending(path: $0) }, project: project)
  let files = try ProjectFiles(target: arguments[2], files: inputs, project: project)
  let module = DocumentModule(
    id: arguments[2], name: arguments[2], folder: files.folder, files: inputs,
    schema: { files.module }, dependencies: { [] })
  let commands = try ModuleSource.commands(
    for: module, source: files.module, tool: URL(filePath: "/tool"),
    workFolder: project.appending(path: "work"))
  for command in commands {
    guard case .buildCommand(_, _, let arguments, _, let inputs, _) = command else { exit(2) }
    for argument in arguments { print(argument) }
    for input in inputs { print("input: \(input.path)") }
    print("")
  }
} catch {
  print("error: \(error)")
  exit(1)
}
