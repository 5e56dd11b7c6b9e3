extension ServerCase {
  /// All cases, by group.
  package static let all: [ServerCase] =
    closing + chunks + trailers + interim + statusLines + heads + lengths + codings + statuses
    + early + resets + kept + slow + secure + redirects + pairs

  package static let groups: [String] = all.reduce(into: []) { groups, serverCase in
    if groups.last != serverCase.group { groups.append(serverCase.group) }
  }
}
