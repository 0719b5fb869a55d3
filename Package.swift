// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "carousel",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "carousel", targets: ["carousel"]),
    .library(name: "Windowing", targets: ["Windowing"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
  ],
  targets: [
    // What is computed: strips, windows, slots. Knows nobody.
    .target(
      name: "Windowing",
      linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),
    // What is said: requests and responses as values.
    .target(name: "HTTP"),
    // What is shown: items, and the catalogues that hold them.
    .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .target(name: "Catalogue", dependencies: ["COpenSSL", "Windowing"]),
    // The adapters, which do not know one another.
    .target(name: "CZlib", linkerSettings: [.linkedLibrary("z")]),
    .target(name: "CBrotli", linkerSettings: [.linkedLibrary("brotlienc")]),
    .target(name: "Compression", dependencies: ["CBrotli", "CZlib", "HTTP"]),
    .target(name: "CMicrohttpd", linkerSettings: [.linkedLibrary("microhttpd")]),
    .target(name: "HTTPServer", dependencies: ["CMicrohttpd", "HTTP"]),
    .target(
      name: "ItemsInSQLite",
      dependencies: [
        "Catalogue", "Windowing",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ]),
    .systemLibrary(
      name: "CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    .target(name: "ItemsInPostgres", dependencies: ["CPostgreSQL", "Catalogue", "Windowing"]),
    // A request becomes a query, the query a window, the window a response.
    .target(
      name: "Serving",
      dependencies: ["HTTP", "Catalogue", "Windowing"]),
    // The command: the only module that knows everyone.
    .executableTarget(
      name: "carousel",
      dependencies: [
        "Compression", "HTTP", "HTTPServer", "Catalogue", "ItemsInPostgres", "ItemsInSQLite",
        "Serving", "Windowing",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ]),

    .testTarget(name: "WindowingTests", dependencies: ["Windowing"]),
    .testTarget(name: "CompressionTests", dependencies: ["Compression", "HTTP"]),
    .testTarget(name: "HTTPTests", dependencies: ["HTTP"]),
    .testTarget(name: "HTTPServerTests", dependencies: ["HTTPServer", "HTTP"]),
    .testTarget(
      name: "CatalogueTests",
      dependencies: [
        "Catalogue", "ItemsInPostgres", "ItemsInSQLite", "Windowing",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ]),
    .testTarget(name: "ServingTests", dependencies: ["HTTP", "Catalogue", "Serving", "Windowing"]),
    .testTarget(name: "CommandTests"),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets
where !["CBrotli", "CMicrohttpd", "COpenSSL", "CPostgreSQL", "CZlib"].contains(target.name) {
  var settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
  ]
  if target.name == "Windowing" { settings.append(.strictMemorySafety()) }
  target.swiftSettings = settings
}
