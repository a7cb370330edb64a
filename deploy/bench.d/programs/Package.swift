// swift-tools-version: 6.2
import PackageDescription

// Programs that only benchmarks run. They are a package of their own, so that building the product needs neither them
// nor libgumbo.

/// A product of Lectern's package.
func lectern(_ name: String) -> Target.Dependency { .product(name: name, package: "lectern") }

/// A program that one benchmark runs.
func program(_ name: String, dependencies: [Target.Dependency]) -> Target {
    .executableTarget(name: name, dependencies: dependencies, swiftSettings: [.treatAllWarnings(as: .error)])
}

let package = Package(
    name: "lectern-benchmarks",
    dependencies: [.package(name: "lectern", path: "../../..")],
    targets: [
        .systemLibrary(name: "CGumbo", pkgConfig: "gumbo", providers: [.apt(["libgumbo-dev"])]),
        // deploy/bench plan
        program("time-plans", dependencies: [lectern("HTTP"), lectern("REST")]),
        // deploy/bench auth
        program("time-tokens", dependencies: [lectern("Auth")]),
        // deploy/bench dedupe-key
        program("time-keys", dependencies: [lectern("Charsets"), lectern("Links")]),
        // deploy/bench extract
        program("time-extract", dependencies: ["CGumbo", lectern("HTML"), lectern("Readability")]),
    ]
)
