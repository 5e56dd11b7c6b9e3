import Foundation

/// A process that a test starts. It has the three standard descriptors only, and no blocked signals.
///
/// Foundation's `Process` lists the open descriptors with 256 bytes for each name. That is more than the
/// kernel has written for the last one, so with over 1,300 open descriptors it may read beyond the end of
/// the memory. It also gives a run loop to each thread that starts or awaits a process, which the thread
/// sanitizer does not survive.
package final class ChildProcess: @unchecked Sendable {
  /// The other end of a standard descriptor.
  package enum Stream {
    /// /dev/null.
    case null
    /// The stream of the test program.
    case inherited
    /// A file, which exists.
    case file(URL)
    /// ``input`` or ``output``.
    case pipe
  }

  package enum End: Equatable, Sendable { case exit(Int32), signal(Int32) }

  package struct Failure: Error, CustomStringConvertible { package let description: String }

  /// The end of the pipe to the process, or from it.
  package let input, output: FileHandle?
  private let identifier: pid_t
  private let lock = NSLock()
  private var end: End?

  /// Starts a program.
  ///
  /// - Parameters:
  ///   - folder: the current folder; nil for the one of the test program.
  ///   - error: where standard error goes; nil for where standard output goes.
  package init(
    _ program: URL, _ arguments: [String], in folder: URL? = nil, input: Stream = .null,
    output: Stream = .inherited, error: Stream? = .inherited
  ) throws {
    let (reading, writing) = (try SpawnStream(input, 0), try SpawnStream(output, 1))
    let complaining = try error.map { try SpawnStream($0, 2) }
    identifier = try spawn(
      program.path, arguments, in: folder?.path,
      [(reading.child, 0), (writing.child, 1), ((complaining ?? writing).child, 2)])
    (self.input, self.output) = (reading.parent, writing.parent)
  }

  deinit {
    kill()
    wait()
  }

  package var isRunning: Bool { status(WNOHANG) == nil }

  /// Ends the process, unless it has ended.
  package func kill() {
    // The number of a process is not reused before `waitpid` has returned it.
    lock.withLock { if end == nil { _ = Foundation.kill(identifier, SIGKILL) } }
  }

  /// Sends a signal, unless the process has ended.
  package func signal(_ number: Int32) {
    lock.withLock { if end == nil { _ = Foundation.kill(identifier, number) } }
  }

  /// Waits for the end of the process.
  @discardableResult package func wait() -> End {
    while true {
      if let end = status(WNOHANG) { return end }
      usleep(1_000)
    }
  }

  /// Reads the output to its end, and waits for the end of the process.
  package func collect() -> (end: End, output: String) {
    let data = output?.readDataToEndOfFile() ?? Data()
    return (wait(), String(decoding: data, as: UTF8.self))
  }

  private func status(_ options: Int32) -> End? {
    lock.withLock {
      if let end { return end }
      var status: Int32 = 0
      guard waitpid(identifier, &status, options) == identifier else { return nil }
      let signal = status & 0x7f
      end = signal == 0 ? .exit(status >> 8 & 0xff) : .signal(signal)
      return end
    }
  }
}

/// A standard stream: the child's descriptor, which closes with this object, and the test's end.
private struct SpawnStream {
  let child: Int32
  let parent: FileHandle?
  private let owner: FileHandle?

  /// - Parameter standard: the number of the standard descriptor.
  init(_ stream: ChildProcess.Stream, _ standard: Int32) throws {
    switch stream {
    case .inherited: (child, parent, owner) = (standard, nil, nil)
    case .null: (child, parent, owner) = try Self.open("/dev/null", standard)
    case .file(let url): (child, parent, owner) = try Self.open(url.path, standard)
    case .pipe:
      let pipe = Pipe()
      let (reading, writing) = (pipe.fileHandleForReading, pipe.fileHandleForWriting)
      let isInput = standard == 0
      owner = isInput ? reading : writing
      parent = isInput ? writing : reading
      child = (isInput ? reading : writing).fileDescriptor
    }
  }

  private static func open(_ path: String, _ standard: Int32) throws -> (
    Int32, FileHandle?, FileHandle?
  ) {
    let descriptor = Foundation.open(path, (standard == 0 ? O_RDONLY : O_WRONLY) | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw ChildProcess.Failure(description: "\(path): \(String(cString: strerror(errno)))")
    }
    return (descriptor, nil, FileHandle(fileDescriptor: descriptor, closeOnDealloc: true))
  }
}

private func spawn(
  _ program: String, _ arguments: [String], in folder: String?,
  _ descriptors: [(from: Int32, to: Int32)]
) throws -> pid_t {
  #if canImport(Darwin)
    var actions: FileActions = nil
    var attributes: posix_spawnattr_t? = nil
    let flags = POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_CLOEXEC_DEFAULT
  #else
    var (actions, attributes) = (posix_spawn_file_actions_t(), posix_spawnattr_t())
    let flags = POSIX_SPAWN_SETSIGMASK
  #endif
  posix_spawn_file_actions_init(&actions)
  posix_spawnattr_init(&attributes)
  defer {
    posix_spawn_file_actions_destroy(&actions)
    posix_spawnattr_destroy(&attributes)
  }
  for (from, to) in descriptors { posix_spawn_file_actions_adddup2(&actions, from, to) }
  if let folder {
    guard try call("posix_spawn_file_actions_addchdir_np", AddFolder.self)(&actions, folder) == 0
    else { throw ChildProcess.Failure(description: folder) }
  }
  #if !canImport(Darwin)
    // glibc 2.34
    _ = try? call("posix_spawn_file_actions_addclosefrom_np", AddLimit.self)(&actions, 3)
  #endif
  var none = sigset_t()
  sigemptyset(&none)
  posix_spawnattr_setsigmask(&attributes, &none)
  posix_spawnattr_setflags(&attributes, Int16(flags))

  let environment = ProcessInfo.processInfo.environment.map { "\($0)=\($1)" }
  let texts = ([program] + arguments).map { strdup($0) } + [nil]
  let variables = environment.map { strdup($0) } + [nil]
  defer { for text in texts + variables { free(text) } }
  var identifier: pid_t = 0
  let code = posix_spawn(&identifier, program, &actions, &attributes, texts, variables)
  guard code == 0 else {
    throw ChildProcess.Failure(description: "\(program): \(String(cString: strerror(code)))")
  }
  return identifier
}

#if canImport(Darwin)
  private typealias FileActions = posix_spawn_file_actions_t?
#else
  private typealias FileActions = posix_spawn_file_actions_t
#endif

// Swift does not see these functions of <spawn.h> on Linux.
private typealias AddFolder =
  @convention(c) (UnsafeMutablePointer<FileActions>, UnsafePointer<CChar>) -> Int32
private typealias AddLimit =
  @convention(c) (UnsafeMutablePointer<FileActions>, Int32) -> Int32

private func call<Function>(_ name: String, _ type: Function.Type) throws -> Function {
  guard let function = dlsym(dlopen(nil, RTLD_NOW), name) else {
    throw ChildProcess.Failure(description: "there is no \(name)")
  }
  return unsafeBitCast(function, to: type)
}
