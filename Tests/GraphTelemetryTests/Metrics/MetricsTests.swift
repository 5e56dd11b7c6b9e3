import Foundation
import GraphClient
import GraphQLRuntime
import Testing

@testable import GraphTelemetry

struct MetricsTests {
  private let metrics = Graph.Metrics()

  private var lines: [String] { metrics.text().split(separator: "\n").map(String.init) }

  @Test func countsEndedCalls() {
    for _ in 0..<3 { metrics.observe(Sample.event(.began)) }
    metrics.observe(Sample.event(.ended(.completed), duration: .milliseconds(30)))
    metrics.observe(Sample.event(.ended(.failed(Sample.error)), duration: .seconds(100)))
    let endpoint = #"endpoint="https://shop.example:443/graphql",kind="query""#
    let labels = endpoint + #",operation="Shop""#
    #expect(
      lines.contains(
        #"graphql_client_calls_total{\#(labels),result="completed",error=""} 1"#))
    #expect(
      lines.contains(
        #"graphql_client_calls_total{\#(labels),result="failed",error="status"} 1"#))
    #expect(lines.contains("graphql_client_calls_in_progress{\(endpoint)} 1"))
    let name = "graphql_client_call_duration_seconds"
    #expect(lines.contains(#"\#(name)_bucket{\#(labels),le="0.025"} 0"#))
    #expect(lines.contains(#"\#(name)_bucket{\#(labels),le="0.05"} 1"#))
    #expect(lines.contains(#"\#(name)_bucket{\#(labels),le="60.0"} 1"#))
    #expect(lines.contains(#"\#(name)_bucket{\#(labels),le="+Inf"} 2"#))
    #expect(lines.contains("\(name)_count{\(labels)} 2"))
    #expect(lines.contains("\(name)_sum{\(labels)} 100.03"))
    #expect(lines.last == "# EOF")
  }

  @Test func aBoundBelongsToItsBucket() {
    metrics.observe(Sample.event(.ended(.completed), duration: .milliseconds(50)))
    #expect(lines.contains { $0.contains(#"le="0.05"} 1"#) })
  }

  @Test func tracesAreExemplars() {
    metrics.observe(
      Sample.event(
        .ended(.completed), Sample.call(trace: Sample.trace), duration: .milliseconds(30)))
    let line = lines.first { $0.contains(#"le="0.05"}"#) }
    #expect(
      line?.hasSuffix(
        #"1 # {trace_id="0af7651916cd43dd8448eb211c80319c"} 0.03 1700000000.25"#) == true)
  }

  @Test func labelsAreEscaped() {
    metrics.observe(Sample.event(.ended(.completed), Sample.call("a\"b\\c\nd")))
    #expect(lines.contains { $0.contains(#"operation="a\"b\\c\nd""#) })
  }

  @Test func namesAreLimited() {
    let metrics = Graph.Metrics(maximumOperationCount: 2)
    for name in ["A", "B", "C", "D", "A", nil] {
      metrics.observe(Sample.event(.cacheRead(.tooOld), Sample.call(name)))
    }
    let text = metrics.text()
    #expect(text.contains(#"operation="A",result="too_old"} 2"#))
    #expect(text.contains(#"operation="other",result="too_old"} 2"#))
    #expect(text.contains(#"operation="anonymous",result="too_old"} 1"#))
    #expect(!text.contains(#"operation="C""#))
  }

  /// Calls that began under one name end under it, so that their gauge returns to zero.
  @Test func endpointsAreLimited() {
    let metrics = Graph.Metrics(maximumEndpointCount: 2)
    let names = (0..<1000).map { "https://shop-\($0).example:443/graphql" }
    for name in names {
      metrics.observe(Sample.event(.began, Sample.call(endpoint: name)))
    }
    for name in names.reversed() {
      for event in Sample.all(Sample.call(endpoint: name)).dropFirst() {
        metrics.observe(event)
      }
    }
    let text = metrics.text()
    let ended = #"kind="query",operation="Shop",result="completed",error=""}"#
    #expect(text.contains(#"calls_total{endpoint="\#(names[1])",\#(ended) 1"#))
    #expect(text.contains(#"calls_total{endpoint="other",\#(ended) 998"#))
    #expect(text.contains(#"requests_total{endpoint="other",status="503"} 998"#))
    #expect(text.contains(#"calls_in_progress{endpoint="other",kind="query"} 0"#))
    #expect(!text.contains("shop-2."))
    #expect(text.utf8.count < 100_000)
  }

  @Test func eachStepIsCounted() {
    for event in Sample.all() { metrics.observe(event) }
    let text = metrics.text()
    for sample in [
      #"cache_reads_total{endpoint="https://shop.example:443/graphql",operation="Shop",result="hit"} 2"#,
      #"requests_total{endpoint="https://shop.example:443/graphql",status="503"} 1"#,
      #"sent_bytes_total{endpoint="https://shop.example:443/graphql"} 70"#,
      #"received_bytes_total{endpoint="https://shop.example:443/graphql"} 38"#,
      #"open_connections{kind="http"} 0"#, #"open_connections{kind="web_socket"} 0"#,
      #"lost_connections_total{kind="http",error="status"} 1"#,
      #"graphql_outbox_transitions_total{state="rejected"} 1"#,
      #"reason="equal_query"} 1"#, #"reason="processes"} 1"#, #"reason="server_pause"} 1"#,
    ] {
      #expect(text.contains(sample), "\(sample)")
    }
    #expect(!text.contains("secret"))
  }

  /// Two samples with the same name and labels would be refused by Prometheus.
  @Test func samplesAreUnique() {
    for event in Sample.all() + Sample.all(Sample.call("Other")) { metrics.observe(event) }
    let names = lines.filter { !$0.hasPrefix("#") }.map { line in
      line.lastIndex(of: "}").map { String(line[...$0]) } ?? line
    }
    #expect(Set(names).count == names.count && names.count > 100)
  }
}
