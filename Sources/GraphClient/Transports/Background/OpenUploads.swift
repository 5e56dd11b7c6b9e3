import Foundation
import GraphQLRuntime

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

extension Graph {
  /// The uploads that have not ended, by their keys: the callers that wait for them, and their tasks.
  ///
  /// An upload has two tasks if the system reports one of an earlier process after another has begun.
  final class OpenUploads: Sendable {
    private struct Upload {
      let id = UUID()
      var waiters: [Promise<UploadResponse>] = []
      var tasks: [Int: URLSessionTask] = [:]
      /// Whether its last task has ended, and its result is being delivered.
      var isEnding = false
    }

    private let uploads = Locked<[String: Upload]>([:])

    var count: Int { uploads.withLock { $0.count } }

    /// Adds a caller.
    ///
    /// - Returns: the ID of a new upload; nil if there is one with the key.
    func join(_ promise: Promise<UploadResponse>, _ key: String) -> UUID? {
      uploads.withLock { uploads in
        let isNew = uploads[key] == nil
        uploads[key, default: Upload()].waiters.append(promise)
        return isNew ? uploads[key]?.id : nil
      }
    }

    /// Whether the upload has not ended and has no task.
    func needsTask(_ id: UUID, _ key: String) -> Bool {
      uploads.withLock { uploads in
        uploads[key].map { $0.id == id && $0.tasks.isEmpty && !$0.isEnding } ?? false
      }
    }

    /// Adds a task, of a new upload if there is none with the key.
    func add(_ task: URLSessionTask, _ key: String) {
      uploads.withLock { $0[key, default: Upload()].tasks[task.taskIdentifier] = task }
    }

    /// Removes a task that has ended.
    ///
    /// - Returns: the other tasks of the upload; nil if it has ended with another one.
    func remove(_ task: URLSessionTask, _ key: String) -> [URLSessionTask]? {
      uploads.withLock { uploads in
        guard uploads[key]?.tasks.removeValue(forKey: task.taskIdentifier) != nil else {
          return nil
        }
        let others = uploads[key].map { Array($0.tasks.values) } ?? []
        uploads[key]?.isEnding = others.isEmpty
        return others
      }
    }

    /// - Parameter ends: whether the upload ends if there are no waiters.
    /// - Returns: nil if it has ended.
    func takeWaiters(_ key: String, ends: Bool) -> [Promise<UploadResponse>]? {
      uploads.withLock { uploads in
        let promises = uploads[key]?.waiters ?? []
        if ends, promises.isEmpty {
          uploads[key] = nil
          return nil
        }
        uploads[key]?.waiters = []
        return promises
      }
    }
  }
}
