// swift-tools-version: 6.2
import PackageDescription

// On Linux a release has Swift's libraries in it: it starts in two thirds of the time, on a system without Swift.
// Only its linker has these flags. So the tests, which XCTest links dynamically, use the same modules.
let staticLibraries = [
  "-static-stdlib", "-lFoundation", "-lFoundationInternationalization", "-lCoreFoundation",
  "-l_FoundationICU", "-lFoundationEssentials", "-l_FoundationCollections", "-l_FoundationCShims",
  "-lstdc++",
]

let package = Package(
  name: "carousel",
  products: [
    .executable(name: "carousel", targets: ["carousel"]),
    .executable(name: "carousel-pictures", targets: ["carousel-pictures"]),
    .library(name: "Windowing", targets: ["Windowing"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
    .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
    .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
  ],
  targets: [
    // Computes windows of strips, and slots. Imports no other module.
    .target(
      name: "Windowing",
      linkerSettings: [.linkedLibrary("m", .when(platforms: [.linux]))]),
    // Requests and responses as values.
    .target(name: "HTTP"),
    // Items with their fields, the settings of strips, and the JSON of both.
    .target(name: "Items", dependencies: ["Windowing"]),
    // Snapshots of strips with the order of their items; filters, searches, sorts and facets of them.
    .target(name: "Views", dependencies: ["Items", "Windowing"]),
    // Catalogues of strips: edits, imports, the built-in strips.
    .target(
      name: "Catalogue", dependencies: ["Items", "Views", "Windowing"],
      resources: [
        .embedInCode("BuiltIn/albums.json"), .embedInCode("BuiltIn/albums.jsonl"),
        .embedInCode("BuiltIn/elements.json"), .embedInCode("BuiltIn/elements.jsonl"),
        .embedInCode("BuiltIn/landscapes.json"),
        .embedInCode("BuiltIn/moons.json"), .embedInCode("BuiltIn/moons.jsonl"),
      ]),
    // The adapters: compression, HTTP server, cryptography, databases.
    .target(name: "CBrotli", linkerSettings: [.linkedLibrary("brotlienc")]),
    .systemLibrary(name: "CISAL", pkgConfig: "libisal", providers: [.apt(["libisal-dev"])]),
    .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .target(name: "Compression", dependencies: ["CBrotli", "CISAL", "CZlib", "HTTP"]),
    .target(name: "CMicrohttpd", linkerSettings: [.linkedLibrary("microhttpd")]),
    .target(name: "HTTPServer", dependencies: ["CMicrohttpd", "HTTP"]),
    // SHA-256.
    .systemLibrary(name: "COpenSSL", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    .target(name: "Cryptography", dependencies: ["COpenSSL", "Items"]),
    .systemLibrary(
      name: "CPostgreSQL", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
    // CRC-32C.
    .target(name: "CChecksum"),
    // The catalogue in SQL: all algorithms. The two databases below it do not import each other.
    .target(
      name: "SQLCatalogue",
      dependencies: ["Catalogue", "CChecksum", "Cryptography", "Items", "Views", "Windowing"]),
    .target(
      name: "SQLiteDatabase",
      dependencies: [
        "Catalogue", "Items", "SQLCatalogue", "Views", "Windowing",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ]),
    .target(
      name: "PostgresDatabase",
      dependencies: ["Catalogue", "CPostgreSQL", "Items", "SQLCatalogue", "Views", "Windowing"]),
    // A request becomes a query, the query a window, the window a response.
    .target(
      name: "Serving",
      dependencies: ["Catalogue", "Cryptography", "HTTP", "Items", "Views", "Windowing"],
      resources: [.embedInCode("Page/problem.html")]),
    // The process that reads pictures, and the messages to it. libvips is opened when it starts.
    .target(name: "CDescriptors"),
    .target(name: "PictureMessages", dependencies: ["CDescriptors"]),
    .target(name: "CVips"),
    .executableTarget(
      name: "carousel-pictures", dependencies: ["CVips", "PictureMessages"],
      linkerSettings: [
        .unsafeFlags(["-static-stdlib"], .when(platforms: [.linux], configuration: .release))
      ]),
    // A folder of pictures as a strip.
    .target(
      name: "Photos",
      dependencies: [
        "Catalogue", "Cryptography", "HTTP", "Items", "PictureMessages", "Views", "Windowing",
      ],
      resources: [.embedInCode("settings.json")]),
    // C of the command: its commit, the allocator, and functions that older systems lack.
    .target(
      name: "CRelease",
      cSettings: [
        .define("CAROUSEL_COMMIT", to: "\"\(Context.environment["CAROUSEL_COMMIT"] ?? "")\"")
      ]),
    // The command: the only module that imports all adapters.
    .executableTarget(
      name: "carousel",
      dependencies: [
        "Catalogue", "Compression", "CRelease", "HTTP", "HTTPServer", "Items", "Photos",
        "PostgresDatabase",
        "Serving", "SQLCatalogue", "SQLiteDatabase", "Views", "Windowing",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "Logging", package: "swift-log"),
      ],
      linkerSettings: [
        .unsafeFlags(staticLibraries, .when(platforms: [.linux], configuration: .release))
      ]),
    // A program that uses the library product: a list in a terminal.
    .executableTarget(
      name: "TerminalStrip", dependencies: ["Windowing"], path: "Examples/Terminal"),
    // The steps from a cell for each item to slots.
    .executableTarget(name: "Story", dependencies: ["Windowing"], path: "Examples/Story"),

    .target(name: "RandomTesting", path: "Tests/RandomTesting"),
    .target(name: "CaseTesting", path: "Tests/CaseTesting"),
    .target(name: "CAllocator", path: "Tests/CAllocator"),
    .testTarget(
      name: "WindowingTests",
      dependencies: [
        .target(name: "CAllocator", condition: .when(platforms: [.linux])), "CaseTesting",
        "RandomTesting", "Story", "TerminalStrip", "Windowing",
      ]),
    .testTarget(
      name: "CompressionTests", dependencies: ["Compression", "HTTP", "RandomTesting"]),
    .testTarget(name: "HTTPTests", dependencies: ["HTTP", "RandomTesting"]),
    .testTarget(name: "HTTPServerTests", dependencies: ["HTTP", "HTTPServer", "RandomTesting"]),
    .target(
      name: "CatalogueTesting",
      dependencies: ["Catalogue", "Items", "RandomTesting", "Views", "Windowing"],
      path: "Tests/CatalogueTesting"),
    .testTarget(
      name: "CatalogueTests",
      dependencies: [
        .target(name: "CAllocator", condition: .when(platforms: [.linux])), "CaseTesting",
        "Catalogue", "CatalogueTesting", "Cryptography", "Items", "RandomTesting", "Views",
        "Windowing",
      ]),
    .testTarget(
      name: "SQLCatalogueTests",
      dependencies: [
        "Catalogue", "CatalogueTesting", "CChecksum", "Cryptography", "Items", "PostgresDatabase",
        "RandomTesting", "SQLCatalogue", "SQLiteDatabase", "Views", "Windowing",
        .product(name: "GRDB", package: "GRDB.swift"),
      ]),
    .testTarget(
      name: "SQLDatabaseTests",
      dependencies: [
        "Catalogue", "CatalogueTesting", "Items", "PostgresDatabase", "SQLCatalogue",
        "SQLiteDatabase", "Views", "Windowing",
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ]),
    .testTarget(
      name: "PhotosTests",
      dependencies: [
        "Catalogue", "CatalogueTesting", "HTTP", "Items", "Photos", "PictureMessages",
        "SQLCatalogue", "SQLiteDatabase", "Views", "Windowing",
      ]),
    .testTarget(
      name: "ServingTests",
      dependencies: [
        "CaseTesting", "Catalogue", "Cryptography", "HTTP", "Items", "Serving",
        "Views", "Windowing",
      ]),
  ],
  swiftLanguageModes: [.v6]
)

for target in package.targets
where ![
  "CBrotli", "CChecksum", "CDescriptors", "CISAL", "CMicrohttpd", "COpenSSL", "CPostgreSQL",
  "CRelease",
  "CVips", "CZlib",
].contains(target.name) {
  var settings: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .treatAllWarnings(as: .error),
  ]
  if target.name == "Windowing" { settings.append(.strictMemorySafety()) }
  // Tests compile faster without optimization. The modules that they call are optimized.
  if target.type == .test { settings.append(.unsafeFlags(["-Onone"])) }
  target.swiftSettings = settings
}
