import Foundation
import TestSupport
import Testing

@testable import GraphStore

@Suite struct WriteLockTests {
  private typealias Fork = @convention(c) () -> Int32

  /// The lock belongs to both processes, so the child must not release it.
  @Test func aForkedChildDoesNotReleaseTheParentsLock() throws {
    let path = try TemporaryFolder().file().path
    let writeLock = try WriteLock(path: path)
    let other = try ProcessLock(path: path + "-lock")
    let fork = unsafeBitCast(
      try #require(dlsym(dlopen(nil, RTLD_NOW), "fork")), to: Fork.self)
    try writeLock.take(WaitLimit(.seconds(5)))
    let child = fork()
    if child == 0 {
      alarm(20)
      writeLock.release()
      let isTaken = writeLock.tryToTake() || (try? writeLock.take(WaitLimit(.zero))) != nil
      _exit(isTaken ? 1 : 0)
    }
    var status: Int32 = -1
    #expect(waitpid(child, &status, 0) == child)
    #expect(status == 0)
    #expect(!other.tryToTake())
    writeLock.release()
    #expect(other.tryToTake())
  }
}
