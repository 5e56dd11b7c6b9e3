/// What became of stored data when a store was opened with another schema than the one that it was written
/// with. It names types and fields, never values.
///
/// What could not be carried over stays in the file as it was, under its old name. Nothing reads it; a logout
/// deletes what is of types that the schema does not have.
public struct MigrationReport: Sendable, Hashable, Codable, CustomStringConvertible {
  /// Something that was not carried over.
  public struct Problem: Sendable, Hashable, Codable, CustomStringConvertible {
    /// Why something was not carried over. The set is open: later versions may add reasons.
    public struct Reason: Sendable, Hashable, Codable, CustomStringConvertible {
      /// The reason's name, for logs.
      public let description: String

      init(_ description: String) { self.description = description }

      /// The rename is not one of two names of one type, `Product.descr` and `Product.description`.
      public static let invalid = Reason("invalid")
      /// The schema does not have the new name.
      public static let unknownTarget = Reason("unknownTarget")
      /// The schema has the old name as well, so that what is stored under it stays its own.
      public static let stillInSchema = Reason("stillInSchema")
      /// There is another value under the new name already.
      public static let conflict = Reason("conflict")
      /// The value is none of the new field's type.
      public static let doesNotFit = Reason("doesNotFit")
      /// The record is damaged.
      public static let damaged = Reason("damaged")
      /// Objects of the new type are not kept in the file.
      public static let transient = Reason("transient")
      /// The schema does not have the type, and no rename says which one it is now.
      public static let typeNotInSchema = Reason("typeNotInSchema")
      /// The document of a queued operation has the old name: it is sent as it was written.
      public static let queuedOperation = Reason("queuedOperation")
    }

    /// The type, field or enum value by its old name: `OldShop`, `Product.descr`.
    public let coordinate: String
    /// Why it was not carried over.
    public let reason: Reason
    /// How many objects or operations it is about; 0 where the declaration itself is at fault.
    public let count: Int

    /// `Product.descr: conflict (3)`.
    public var description: String {
      count == 0 ? "\(coordinate): \(reason)" : "\(coordinate): \(reason) (\(count))"
    }
  }

  /// How many rows the file has under new names since the renames were carried out.
  public let changedRows: Int
  /// What was not carried over, sorted by coordinates.
  public let problems: [Problem]
  /// Whether the renames were carried out now. The report of that time is kept in the file, so that it can
  /// be asked for later as well.
  public let isNew: Bool

  /// The report in one line, for logs.
  public var description: String {
    (["\(changedRows) rows"] + problems.map(\.description)).joined(separator: "; ")
  }
}

/// Collects a report.
struct MigrationNotes {
  private struct Place: Hashable {
    let coordinate: String
    let reason: MigrationReport.Problem.Reason
  }

  private var counts: [Place: Int] = [:]
  var changedRows = 0

  mutating func note(
    _ coordinate: String, _ reason: MigrationReport.Problem.Reason, count: Int = 1
  ) {
    counts[Place(coordinate: coordinate, reason: reason), default: 0] += count
  }

  func report(isNew: Bool) -> MigrationReport {
    MigrationReport(
      changedRows: changedRows,
      problems: counts.map {
        MigrationReport.Problem(
          coordinate: $0.key.coordinate, reason: $0.key.reason, count: $0.value)
      }.sorted { ($0.coordinate, $0.reason.description) < ($1.coordinate, $1.reason.description) },
      isNew: isNew)
  }
}
