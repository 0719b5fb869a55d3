// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "hummingbird-window",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.0"),
    .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.0"),
  ],
  targets: [
    .executableTarget(
      name: "hummingbird-window",
      dependencies: [
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
