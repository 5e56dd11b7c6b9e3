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
/// The files are ordinary ones: what `PropertyListEncoder` has written is read, in any of the formats, and
/// `PropertyListDecoder` reads what is written here. A property list's root is a list or a dictionary; a
/// value that would be a single number, text, date, or null is written as a list with nothing but it.
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
    let decoder = PropertyListDecoder()
    do {
      return try decoder.decode(Value.self, from: data)
    } catch {
      // Also what earlier versions wrote, which put a list around every value.
      guard let list = try? decoder.decode([Value].self, from: data), list.count == 1 else {
        throw error
      }
      return list[0]
    }
  }

  public func write<Value: Encodable>(_ value: Value, to file: URL) throws {
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    let data: Data
    do {
      data = try encoder.encode(value)
    } catch let error as EncodingError {
      // A single value has no other way; what cannot be encoded at all says why itself.
      guard let list = try? encoder.encode([value]) else { throw error }
      data = list
    }
    try FileSafety.replace(file, with: data)
  }

  public func deleteFile(at file: URL) throws {
    do {
      try FileManager.default.removeItem(at: file)
    } catch let error as CocoaError where error.code == .fileNoSuchFile {
      return
    }
  }
}
