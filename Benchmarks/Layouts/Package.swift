// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that users of Windowing do not build its benchmarks. It measures as bench-engine does.
let package = Package(
  name: "bench-layouts",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "carousel", path: "../..")],
  targets: [
    .target(name: "CRows"),
    .executableTarget(
      name: "bench-layouts",
      dependencies: ["CRows", .product(name: "Windowing", package: "carousel")],
      swiftSettings: [.treatAllWarnings(as: .error)]),
  ],
  swiftLanguageModes: [.v6]
)
