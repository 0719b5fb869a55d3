// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that users of Windowing do not fetch the plugin.
let package = Package(
  name: "documentation",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "carousel", path: "../.."),
    .package(url: "https://github.com/swiftlang/swift-docc-plugin", exact: "1.5.0"),
  ],
  targets: [
    .target(
      name: "Documented",
      dependencies: [.product(name: "Windowing", package: "carousel")],
      path: ".",
      sources: ["Documented.swift"])
  ]
)
