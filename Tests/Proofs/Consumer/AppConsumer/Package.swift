// swift-tools-version: 6.2
import PackageDescription

/// One app, compiled with the settings of different projects, without a warning. `Tests/run plugin-consumer`
/// copies the folder App for each of its targets.
///
/// Each has a module in the app target itself and uses one of a separate target.
let mainActor: [SwiftSetting] = [.defaultIsolation(MainActor.self), .define("MAIN_ACTOR")]

/// The build setting Approachable Concurrency of Xcode. Swift 6 has the other features always.
let approachableSix: [SwiftSetting] = [
  .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
  .enableUpcomingFeature("InferIsolatedConformances"),
]
let approachableFive =
  approachableSix + [
    .enableUpcomingFeature("DisableOutwardActorInference"),
    .enableUpcomingFeature("InferSendableFromCaptures"),
    .enableUpcomingFeature("GlobalActorIsolatedTypesUsability"),
  ]

/// Xcode 26 sets it for a new app, next to the isolation.
let imports: [SwiftSetting] = [.enableUpcomingFeature("MemberImportVisibility")]

func app(_ name: String, _ settings: [SwiftSetting]) -> Target {
  .executableTarget(
    name: name,
    dependencies: [
      "BooksAPI",
      .product(name: "Treeswift", package: "Treeswift"),
    ],
    swiftSettings: settings + [.treatAllWarnings(as: .error)],
    plugins: [.plugin(name: "GraphQLGenerator", package: "Treeswift")])
}

let package = Package(
  name: "AppConsumer",
  platforms: [.macOS(.v14)],
  dependencies: [.package(name: "Treeswift", path: "../../../..")],
  targets: [
    .target(
      name: "BooksAPI",
      dependencies: [.product(name: "Treeswift", package: "Treeswift")],
      swiftSettings: [
        .enableUpcomingFeature("InternalImportsByDefault"), .treatAllWarnings(as: .error),
      ],
      plugins: [.plugin(name: "GraphQLGenerator", package: "Treeswift")]),

    // The settings of a new app in Xcode 26.
    app("XcodeApp", [.swiftLanguageMode(.v5)] + mainActor + approachableFive + imports),
    app("MainActorApp", mainActor),
    app("ApproachableApp", mainActor + approachableSix),
    app("PlainApp", []),
    app("SwiftFiveApp", [.swiftLanguageMode(.v5)]),
    // The headers of the package are read as C++.
    app("CxxApp", [.interoperabilityMode(.Cxx)]),
  ]
)
