// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that users of Windowing do not build its benchmarks.
let package = Package(
  name: "bench-engine",
  platforms: [.macOS(.v15)],
  dependencies: [.package(name: "carousel", path: "../..")],
  targets: [
    .executableTarget(
      name: "bench-engine",
      dependencies: [.product(name: "Windowing", package: "carousel")],
      swiftSettings: [.treatAllWarnings(as: .error)])
  ],
  swiftLanguageModes: [.v6]
)
