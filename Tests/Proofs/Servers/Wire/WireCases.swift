extension WireCase {
  /// All cases, by group.
  package static let all: [WireCase] =
    closing + chunks + trailers + interim + statusLines + heads + lengths + codings + statuses
    + early + resets + kept + slow + secure + redirects + pairs

  package static let groups: [String] = all.reduce(into: []) { groups, wireCase in
    if groups.last != wireCase.group { groups.append(wireCase.group) }
  }
}
