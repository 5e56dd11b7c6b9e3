import Foundation
import GraphStore

/// Small values in separate files, such as settings.
public protocol FileStorage: Sendable {
  /// Reads the value in a file.
  ///
  /// - Returns: nil if there is no such file.
  /// - Throws: if the file cannot be read, or does not contain such a value.
  func data<Value: Decodable>(for file: URL) throws -> Value?

  /// Writes a value to a file, completely or not at all.
  func write<Value: Encodable>(_ value: Value, to file: URL) throws

  /// Deletes a regular file; a missing file is not an error.
  ///
  /// - Throws: if there is something else at the path, such as a folder or a symbolic link.
  func deleteFile(at file: URL) throws
}

/// Values as binary property lists in files that only their owner can read (0600).
///
/// The files are ordinary property lists: files of `PropertyListEncoder` can be read, in any of the
/// formats, and `PropertyListDecoder` can read the files written here. A property list's root is a
/// list or a dictionary; a single number, text, date, or null is written as a list with one
/// element.
///
/// A value is written to a temporary file that replaces the old one in one step. So a reader in any
/// thread or process finds the old value or the new one, and with two writers the later one wins.
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
      // Also reads the files of earlier versions, which put a list around every value.
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
      // A single value can only be encoded in this way; a value that cannot be encoded at all
      // throws its own error.
      guard let list = try? encoder.encode([value]) else { throw error }
      data = list
    }
    try FileSafety.replace(file, with: data)
  }

  public func deleteFile(at file: URL) throws {
    try FileSafety.delete(file.path)
  }
}
