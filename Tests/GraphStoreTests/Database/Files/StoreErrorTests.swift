import Foundation
import Testing

@testable import GraphStore

struct StoreErrorTests {
  private struct Cause: Error {}

  @Test func equalityIgnoresTheCause() {
    let error = Graph.StoreError(.database, message: "m", sqliteCode: 1)
    let other = Graph.StoreError(.database, message: "m", cause: Cause(), sqliteCode: 1)
    #expect(error == other && error.hashValue == other.hashValue)
    #expect(error != Graph.StoreError(.database, message: "m", sqliteCode: 2))
    #expect(error != Graph.StoreError(.database, message: "n", sqliteCode: 1))
    #expect(error != Graph.StoreError(.file, message: "m", sqliteCode: 1))
  }

  @Test func aConstraintViolationBecomesAnErrorOfDamage() {
    let violation = Graph.StoreError(
      .database, message: "UNIQUE constraint failed", sqliteCode: 2067)
    #expect(violation.asDamage.code == .corrupt && violation.asDamage.sqliteCode == 2067)
    #expect(violation.asDamage.cause as? Graph.StoreError == violation)
    let other = Graph.StoreError(.database, message: "disk I/O error", sqliteCode: 10)
    #expect(other.asDamage == other)
  }

  @Test func programsCanDefineErrorCodes() {
    let error = Graph.StoreError(Graph.StoreError.Code("mine"), message: "m", cause: Cause())
    #expect(error.code == Graph.StoreError.Code("mine") && error.code != .file)
    #expect("\(error)" == "mine: m" && error.cause is Cause)
  }

  @Test func eachCodeHasASentence() {
    let full = Graph.StoreError(.database, message: "m", sqliteCode: 13 | 1 << 8)
    #expect(full.localizedDescription == "The disk is full.")
    #expect(full.failureReason == full.description)
    let other = Graph.StoreError(.database, message: "m", sqliteCode: 10)
    #expect(other.localizedDescription == "The data cannot be saved or read.")
    let own = Graph.StoreError(Graph.StoreError.Code("mine"), message: "m")
    #expect(own.localizedDescription == "The request is not valid.")
  }
}
