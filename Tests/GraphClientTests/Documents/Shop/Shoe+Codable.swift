import GraphClient

/// The conformance that FragmentValueTests needs.
extension Shoe: Codable {}
