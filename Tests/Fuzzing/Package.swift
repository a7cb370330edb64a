// swift-tools-version: 6.2
import PackageDescription

// The program that Tests/EndToEnd/api/test_fuzzed_parsers.py runs. It is a package of its own, because the compiler
// instruments every module of it: `build` has the options.

/// A product of Lectern's package.
func lectern(_ name: String) -> Target.Dependency { .product(name: name, package: "lectern") }

let package = Package(
    name: "lectern-fuzzing",
    dependencies: [.package(name: "lectern", path: "../..")],
    targets: [
        // libFuzzer, which is part of the toolchain, and one call of libfcgi.
        .systemLibrary(name: "CFuzzing"),
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "CFuzzing", lectern("FastCGI"), lectern("HTML"), lectern("HTTP"), lectern("JSON"), lectern("REST"),
            ],
            swiftSettings: [.treatAllWarnings(as: .error)]),
    ]
)
