// swift-tools-version: 6.2
import PackageDescription

// The list of rooms and who may see whom. Arrows point downward only: programs → product → parts → doors → C.
// `.ci/arrows` refuses an import that has no arrow here.

/// A room: a library of ours. Warnings are errors everywhere, so a clean build is the only build.
/// `embeds` names data files of the room that are compiled in: the programs stay single files that can be copied away.
func room(_ name: String, sees dependencies: [Target.Dependency] = [], embeds files: [String] = []) -> Target {
    .target(
        name: name, dependencies: dependencies, resources: files.map { .embedInCode($0) },
        swiftSettings: [.treatAllWarnings(as: .error)])
}

/// The tests of one room; `Tests/<Room>Tests/<File>Tests.swift` mirrors `Sources/<Room>/<File>.swift`.
func tests(of name: String, sees dependencies: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: [.byName(name: name)] + dependencies,
        swiftSettings: [.treatAllWarnings(as: .error)])
}

/// deploy/test builds tests and programs at once. The library Testing has no static form, so it cannot build with
/// --static-swift-stdlib; it sets this variable to link the programs alone with the static libraries of Swift. The two
/// libraries named here are needed by FoundationEssentials, whose shared form brings them along.
let programLinkerSettings: [LinkerSetting] =
    Context.environment["LINK_SWIFT_STATICALLY"] == nil
    ? [] : [.unsafeFlags(["-static-stdlib", "-l_FoundationCShims", "-l_FoundationCollections"])]

/// A program: a thin main that wires rooms together.
func program(_ name: String, sees dependencies: [Target.Dependency]) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, swiftSettings: [.treatAllWarnings(as: .error)],
        linkerSettings: programLinkerSettings)
}

let package = Package(
    name: "lectern",
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    ],
    targets: [
        // Doors to C: one Debian library each.
        .systemLibrary(name: "CFastCGI", pkgConfig: "fcgi", providers: [.apt(["libfcgi-dev"])]),
        .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CGumbo", pkgConfig: "gumbo", providers: [.apt(["libgumbo-dev"])]),
        .systemLibrary(name: "CArgon2", pkgConfig: "libargon2", providers: [.apt(["libargon2-dev"])]),
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CZip", pkgConfig: "libzip", providers: [.apt(["libzip-dev"])]),
        .systemLibrary(name: "CSeccomp", pkgConfig: "libseccomp", providers: [.apt(["libseccomp-dev"])]),
        .systemLibrary(name: "CCMark", pkgConfig: "libcmark-gfm", providers: [.apt(["libcmark-gfm-dev", "libcmark-gfm-extensions-dev"])]),
        .systemLibrary(name: "CPoppler", pkgConfig: "poppler-glib", providers: [.apt(["libpoppler-glib-dev"])]),
        .systemLibrary(name: "CICU", pkgConfig: "icu-uc", providers: [.apt(["libicu-dev"])]),
        .systemLibrary(name: "CVips", pkgConfig: "gobject-2.0", providers: [.apt(["libvips-dev"])]),
        // A library in C++: its door is a wrapper in C.
        .target(name: "CCLD2", linkerSettings: [.linkedLibrary("cld2")]),

        // Values: see nothing of ours.
        room("HTTP"),
        room("Links", embeds: ["TrackingParameters.tsv", "LinkWrappers.tsv"]),
        room("Text", embeds: ["CharacterReferences.tsv"]),
        room("Settings"),
        room("Highlights"),

        // Doors: know nothing of links or users.
        room("Crypto", sees: ["CCrypto", "CArgon2"]),
        room("Charsets", sees: ["CICU"]),
        room("Postgres", sees: ["CPostgres"]),
        room("FastCGI", sees: ["CFastCGI", "HTTP"]),
        room("HTTPFetch", sees: ["CCurl", "Links"]),
        room("Mail", sees: ["CCurl"]),
        room("HTML", sees: ["Text"]),
        room("Confinement", sees: ["CSeccomp"]),
        room("ZIP", sees: ["CZip"]),
        room("CommonMark", sees: ["CCMark"]),
        room("Poppler", sees: ["CPoppler"]),
        room("PictureCoding", sees: ["Confinement"]),
        room("Imaging", sees: ["CVips", "PictureCoding"]),
        room("Dates", sees: ["CICU"]),
        room("Languages", sees: ["CCLD2", "CICU"]),
        room("Telemetry", sees: [.product(name: "Logging", package: "swift-log")]),

        // Parts: do not know each other.
        room("REST", sees: ["HTTP", "Postgres"]),
        room("Auth", sees: ["HTTP", "Postgres", "Crypto"]),
        room("Jobs", sees: ["Postgres"]),
        room("Schema", sees: ["Postgres", "Crypto", "Links", "Text"]),
        room("Outbox", sees: ["Postgres", "Mail"]),
        room("Export", sees: ["HTTP", "Postgres", "ZIP"]),
        room("Readability", sees: ["HTML", "Text", "Dates", "Languages"]),

        // What a process does that reads pages or files and nothing else, and what passes between it and the jobs.
        room("Reading", sees: ["CommonMark", "Confinement", "HTML", "Readability"]),
        room("Pictures", sees: ["Postgres", "Jobs", "HTTPFetch", "HTML", "Links", "Crypto", "Confinement", "PictureCoding"]),

        // The product, in two halves so that the worker links neither libcurl nor a parser:
        // App answers requests, Saving carries a saved link from its URL to its article.
        room("App", sees: ["HTTP", "FastCGI", "Postgres", "REST", "Auth", "Crypto", "Schema", "Settings", "Telemetry"]),
        room(
            "Saving",
            sees: [
                "Postgres", "Schema", "Jobs", "HTTPFetch", "Charsets", "HTML", "Readability", "Links", "Settings", "Telemetry",
                "Confinement", "Reading", "Dates", "Languages", "Highlights",
            ]),

        // Alone with the library that decodes pictures.
        program("lectern-pictures", sees: ["Confinement", "Imaging", "PictureCoding"]),
        program("lectern-fcgi", sees: ["App", "FastCGI", "Settings", "Telemetry"]),
        // Poppler is in a program of its own, so that no other holds it.
        program("lectern-pdf", sees: ["Poppler", "Readability", "Reading"]),
        program(
            "lectern",
            sees: [
                "HTTP", "App", "Saving", "Reading", "Pictures", "PictureCoding", "Outbox", "Mail", "Export", "ZIP", "Auth", "Crypto", "FastCGI", "Postgres", "Jobs", "Schema", "Settings", "Telemetry",
                "HTTPFetch", "Charsets", "HTML", "Readability", "Links", "Text",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),

        // A database of its own for each test that needs one.
        .target(
            name: "TestDatabase", dependencies: ["Postgres", "Schema"], path: "Tests/Support/TestDatabase",
            swiftSettings: [.treatAllWarnings(as: .error)]),
        tests(of: "HTTP"),
        tests(of: "Crypto"),
        tests(of: "Settings"),
        tests(of: "Postgres", sees: ["TestDatabase"]),
        tests(of: "Schema", sees: ["Postgres", "TestDatabase", "Text"]),
        tests(of: "REST", sees: ["HTTP", "Postgres"]),
        tests(of: "Auth", sees: ["HTTP", "Crypto", "Postgres", "TestDatabase"]),
        tests(of: "Jobs", sees: ["Postgres", "TestDatabase"]),
        tests(of: "Saving", sees: [
            "CCurl", "Confinement", "Postgres", "Jobs", "HTTPFetch", "HTML", "Readability", "Settings", "Telemetry", "TestDatabase", "Reading", "unruly-reader", "lectern-pdf",
        ]),
        // A reading process that does what its pages tell it, for the tests.
        .executableTarget(
            name: "unruly-reader", dependencies: ["Confinement", "Readability", "Reading"], path: "Tests/Support/unruly-reader",
            swiftSettings: [.treatAllWarnings(as: .error)]),
        tests(of: "App", sees: ["HTTP", "FastCGI", "Auth", "Settings", "Telemetry", "TestDatabase"]),
        tests(of: "FastCGI", sees: ["CFastCGI", "HTTP", "echo-fcgi"]),
        // A worker and a supervisor with nothing of the product in them, for the tests to start and kill.
        .executableTarget(
            name: "echo-fcgi", dependencies: ["FastCGI", "HTTP"], path: "Tests/Support/echo-fcgi",
            swiftSettings: [.treatAllWarnings(as: .error)]),
        // What deploy/bench plan runs.
        .executableTarget(
            name: "time-plans", dependencies: ["HTTP", "REST"], path: "Tests/Support/time-plans",
            swiftSettings: [.treatAllWarnings(as: .error)]),
        // What deploy/bench auth runs.
        .executableTarget(
            name: "time-tokens", dependencies: ["Auth"], path: "Tests/Support/time-tokens",
            swiftSettings: [.treatAllWarnings(as: .error)]),
        // What deploy/bench key runs.
        .executableTarget(
            name: "time-keys", dependencies: ["Charsets", "Links"], path: "Tests/Support/time-keys",
            swiftSettings: [.treatAllWarnings(as: .error)]),
        // What deploy/bench extract runs.
        .executableTarget(
            name: "time-extract", dependencies: ["CGumbo", "HTML", "Readability"], path: "Tests/Support/time-extract",
            swiftSettings: [.treatAllWarnings(as: .error)]),
        // What Tests/EndToEnd/test_random_pages.py runs.
        .executableTarget(
            name: "fuzz-pages", dependencies: ["HTML", "Readability"], path: "Tests/Support/fuzz-pages",
            swiftSettings: [.treatAllWarnings(as: .error)]),
        tests(of: "ZIP"),
        tests(of: "Export", sees: ["Postgres", "TestDatabase"]),
        tests(of: "Mail"),
        tests(of: "Outbox", sees: ["Mail", "Postgres", "Schema", "TestDatabase"]),
        tests(of: "Links"),
        tests(of: "Text"),
        tests(of: "Dates"),
        tests(of: "Languages"),
        tests(of: "Highlights"),
        tests(of: "Charsets"),
        tests(of: "CommonMark"),
        tests(of: "Poppler"),
        tests(of: "Confinement"),
        tests(of: "Pictures", sees: ["Confinement", "HTTPFetch", "PictureCoding", "Postgres", "TestDatabase", "lectern-pictures"]),
        tests(of: "PictureCoding", sees: ["Confinement"]),
        tests(of: "Imaging", sees: ["Confinement", "PictureCoding", "lectern-pictures"]),
        tests(of: "HTTPFetch", sees: ["CCurl", "Links"]),
        tests(of: "HTML"),
        tests(of: "Readability", sees: ["HTML", "Text"]),
    ]
)
