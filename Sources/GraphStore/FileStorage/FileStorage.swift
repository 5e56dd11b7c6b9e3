import Foundation

/// Small values in files of their own, settings for the most part.
public protocol FileStorage: Sendable {
  /// Reads the value in a file.
  ///
  /// - Returns: nil when there is no such file.
  /// - Throws: when the file cannot be read, or holds no such value.
  func data<Value: Decodable>(for file: URL) throws -> Value?

  /// Writes a value to a file, whole or not at all.
  func write<Value: Encodable>(_ value: Value, to file: URL) throws

  /// Deletes a file; one that is not there is deleted already.
  func deleteFile(at file: URL) throws
}

/// Values as binary property lists in files that only their owner can read (0600).
///
/// A value is written beside the file and takes its place in one step, so a reader in any thread or
/// process finds the old value or the new one, and of two writers the later one wins.
public struct PropertyListFileStorage: FileStorage {
  public init() {}

  public func data<Value: Decodable>(for file: URL) throws -> Value? {
    let data: Data
    do {
      data = try Data(contentsOf: file)
    } catch let error as CocoaError where error.code == .fileReadNoSuchFile {
      return nil
    }
    return try PropertyListDecoder().decode([Value].self, from: data).first
  }

  public func write<Value: Encodable>(_ value: Value, to file: URL) throws {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    // A property list's root is a list or dictionary; a single value needs one around it.
    try FileSafety.replace(file, with: try encoder.encode([value]))
  }

  public func deleteFile(at file: URL) throws {
    do {
      try FileManager.default.removeItem(at: file)
    } catch let error as CocoaError where error.code == .fileNoSuchFile {
      return
    }
  }
}
