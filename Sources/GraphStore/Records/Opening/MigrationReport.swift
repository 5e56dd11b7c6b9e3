extension Graph {
  /// The outcome for stored data when a store was opened with another schema than the one with which
  /// it was written. It contains names of types and fields, never values.
  ///
  /// Data that could not be carried over stays unchanged in the file, under its old name. Nothing
  /// reads it; a logout deletes the data of types that the schema does not have. If the old name
  /// belongs to something else now, as after a swap of two names, such data is deleted.
  public struct MigrationReport: Sendable, Hashable, Codable, CustomStringConvertible {
    /// Data that was not carried over.
    public struct Problem: Sendable, Hashable, Codable, CustomStringConvertible {
      /// Why data was not carried over. The set is open: later versions may add reasons.
      public struct Reason: Sendable, Hashable, Codable, CustomStringConvertible {
        /// The reason's name, for logs.
        public let description: String

        init(_ description: String) { self.description = description }

        /// The rename does not consist of two names of one type, such as `Product.descr` and
        /// `Product.description`.
        public static let invalid = Reason("invalid")
        /// The schema does not have the new name.
        public static let unknownTarget = Reason("unknownTarget")
        /// The schema also has the old name, to which the stored data still belongs.
        public static let stillInSchema = Reason("stillInSchema")
        /// The old name means different things in the list, as after a swap of two names, and
        /// versions of the program with different lists have written to the file. So it is not known
        /// which one a stored value belongs to, and the value stays unchanged.
        public static let ambiguous = Reason("ambiguous")
        /// There is another value under the new name already.
        public static let conflict = Reason("conflict")
        /// The value does not have the new field's type.
        public static let doesNotFit = Reason("doesNotFit")
        /// Objects of the new type have no key, or are roots of operations: stored objects with a
        /// key keep the old name. Embedded objects have the new one.
        public static let noObjectType = Reason("noObjectType")
        /// The record is damaged.
        public static let damaged = Reason("damaged")
        /// Objects of the new type are not kept in the file.
        public static let transient = Reason("transient")
        /// The schema does not have the type, and no rename maps it to another one.
        public static let typeNotInSchema = Reason("typeNotInSchema")
        /// The document of a queued operation has the old name: it is sent unchanged.
        public static let queuedOperation = Reason("queuedOperation")
      }

      /// The type, field or enum value by its old name: `OldShop`, `Product.descr`.
      public let coordinate: String
      /// Why it was not carried over.
      public let reason: Reason
      /// The number of affected objects or operations; 0 if the problem is in the
      /// declaration.
      public let count: Int

      /// `Product.descr: conflict (3)`.
      public var description: String {
        count == 0 ? "\(coordinate): \(reason)" : "\(coordinate): \(reason) (\(count))"
      }
    }

    /// The number of rows in the file with new names since the renames were applied.
    public let changedRows: Int
    /// The data that was not carried over, sorted by coordinates.
    public let problems: [Problem]
    /// Whether the renames were applied now. The file keeps that report, so that it can be read later
    /// as well.
    public let isNew: Bool

    /// The report in one line, for logs.
    public var description: String {
      (["\(changedRows) rows"] + problems.map(\.description)).joined(separator: "; ")
    }
  }
}

/// Collects a report.
struct MigrationNotes {
  private struct Place: Hashable {
    let coordinate: String
    let reason: Graph.MigrationReport.Problem.Reason
  }

  private var counts: [Place: Int] = [:]
  var changedRows = 0

  mutating func note(
    _ coordinate: String, _ reason: Graph.MigrationReport.Problem.Reason, count: Int = 1
  ) {
    counts[Place(coordinate: coordinate, reason: reason), default: 0] += count
  }

  func report(isNew: Bool) -> Graph.MigrationReport {
    Graph.MigrationReport(
      changedRows: changedRows,
      problems: counts.map {
        Graph.MigrationReport.Problem(
          coordinate: $0.key.coordinate, reason: $0.key.reason, count: $0.value)
      }.sorted { ($0.coordinate, $0.reason.description) < ($1.coordinate, $1.reason.description) },
      isNew: isNew)
  }
}
