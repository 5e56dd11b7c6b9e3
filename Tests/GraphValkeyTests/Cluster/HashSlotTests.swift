import GraphClient
import Testing

@testable import GraphValkey

@Suite(.timeLimit(.minutes(2))) struct HashSlotTests {
  /// The example of the Redis cluster specification.
  @Test func theChecksumIsXMODEM() { #expect(HashSlot.of("123456789".utf8) == 0x31C3) }

  @Test(arguments: [1, 2, 3, 7, 100]) func shardsHaveTheirPartOfTheSlots(count: Int) {
    for index in 0..<count {
      let slot = HashSlot.of(HashSlot.tag("shop", shard: index, of: count).utf8)
      #expect(slot * count / HashSlot.count == index)
    }
  }

  @Test(.needsServer) func theServerComputesTheSameSlots() async throws {
    let cluster = try await ServerCluster()
    let node = cluster.nodes[0].client
    for length in 0..<100 {
      let name = String((0..<length).map { _ in "abc:ü 0\u{1}".randomElement()! })
      #expect(
        try await node.run("CLUSTER", "KEYSLOT", name).integer == Int64(HashSlot.of(name.utf8)))
    }
    for shard in try cluster.client(shards: 5).shards.all {
      let keys = shard.keys
      let request = Graph.RateRequest(scope: "s{1}", operationName: nil, cost: 1)
      let names = [
        keys.all, keys.scope("{x}"), keys.tag("}y{"), keys.response(key("{a}", scope: "{b}")),
        keys.lease(key("}")), keys.budget("{"), keys.reservation(request),
      ]
      for name in names {
        #expect(try await node.run("CLUSTER", "KEYSLOT", name).integer == Int64(keys.slot))
      }
    }
  }
}
