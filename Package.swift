// swift-tools-version: 6.2
import PackageDescription

// The modules and their dependencies. Dependencies point downward only: programs → product → parts → bindings → C.
// `.ci/dependencies` refuses an undeclared import and an unused dependency.

/// A library target. Warnings are errors in every target.
/// `embeds` names data files that are compiled into the module, so that a program is a single file.
func module(_ name: String, uses dependencies: [Target.Dependency] = [], embeds files: [String] = []) -> Target {
    .target(
        name: name, dependencies: dependencies, resources: files.map { .embedInCode($0) },
        swiftSettings: [.treatAllWarnings(as: .error)])
}

/// The tests of one module; `Tests/<Module>Tests/<File>Tests.swift` mirrors `Sources/<Module>/<File>.swift`. They are not
/// optimized, also in the release build, since that would take most of its time.
func tests(of name: String, uses dependencies: [Target.Dependency] = []) -> Target {
    .testTarget(
        name: "\(name)Tests", dependencies: [.byName(name: name)] + dependencies,
        swiftSettings: [.treatAllWarnings(as: .error), .unsafeFlags(["-Onone"])])
}

/// `deploy/test` builds tests and programs together. The library Testing has no static form, so that build cannot use
/// `--static-swift-stdlib`; `deploy/test` then links the programs again with this variable set. The two libraries named
/// here belong to FoundationEssentials, whose shared form loads them itself.
let programLinkerSettings: [LinkerSetting] =
    Context.environment["LINK_SWIFT_STATICALLY"] == nil
    ? [] : [.unsafeFlags(["-static-stdlib", "-l_FoundationCShims", "-l_FoundationCollections"])]

/// A program: a thin main that connects modules.
func program(_ name: String, uses dependencies: [Target.Dependency]) -> Target {
    .executableTarget(
        name: name, dependencies: dependencies, swiftSettings: [.treatAllWarnings(as: .error)],
        linkerSettings: programLinkerSettings)
}

let package = Package(
    name: "lectern",
    // For the programs of deploy/bench.d/programs and Tests/Fuzzing.
    products: ["Auth", "Charsets", "FastCGI", "HTML", "HTTP", "JSON", "Links", "REST", "Readability"].map {
        .library(name: $0, targets: [$0])
    },
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", exact: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", exact: "2.101.2"),
    ],
    targets: [
        // Bindings to C: one Debian library each.
        .systemLibrary(name: "CFastCGI", pkgConfig: "fcgi", providers: [.apt(["libfcgi-dev"])]),
        .systemLibrary(name: "CPostgres", pkgConfig: "libpq", providers: [.apt(["libpq-dev"])]),
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CArgon2", pkgConfig: "libargon2", providers: [.apt(["libargon2-dev"])]),
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CZip", pkgConfig: "libzip", providers: [.apt(["libzip-dev"])]),
        .systemLibrary(name: "CSeccomp", pkgConfig: "libseccomp", providers: [.apt(["libseccomp-dev"])]),
        .systemLibrary(
            name: "CCMark", pkgConfig: "libcmark-gfm",
            providers: [.apt(["libcmark-gfm-dev", "libcmark-gfm-extensions-dev"])]),
        .systemLibrary(name: "CPoppler", pkgConfig: "poppler-glib", providers: [.apt(["libpoppler-glib-dev"])]),
        .systemLibrary(name: "CICU", pkgConfig: "icu-uc", providers: [.apt(["libicu-dev"])]),
        .systemLibrary(name: "CQREncode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
        .systemLibrary(name: "CVips", pkgConfig: "gobject-2.0", providers: [.apt(["libvips-dev"])]),
        // Linux calls without a library of their own.
        .systemLibrary(name: "CProcesses"),
        // A C++ library, wrapped in C.
        .target(name: "CCLD2", linkerSettings: [.linkedLibrary("cld2")]),

        // Values: depend on values only.
        module("JSON"),
        module("HTTP", uses: ["JSON"]),
        module("Links", uses: ["Text"], embeds: ["TrackingParameters.tsv", "LinkWrappers.tsv"]),
        module("Text", embeds: ["CharacterReferences.tsv"]),
        module("Settings"),
        module("Highlights"),
        module("Search", uses: ["JSON"]),
        module("Feeds", uses: ["JSON"]),
        module("ImportFormats"),
        module("MarkdownFiles", uses: ["JSON", "Text"]),
        module("ArticlePages"),

        // Bindings: know nothing of links or users.
        module("Crypto", uses: ["CCrypto", "CArgon2", "Threads"]),
        module("Charsets", uses: ["CICU"]),
        module("Postgres", uses: ["CPostgres", "Threads"]),
        module("FastCGI", uses: ["CFastCGI", "HTTP", "Processes", "Threads"]),
        module("HTTPFetch", uses: ["CCurl", "Links", "Threads"]),
        module("Mail", uses: ["CCurl"]),
        module("HTML", uses: ["Links", "Text"]),
        module("Confinement", uses: ["CSeccomp", "Processes"]),
        module("ZIP", uses: ["CZip"]),
        module("Tar"),
        module("QRCodes", uses: ["CQREncode"]),
        module("Folders"),
        module("Threads"),
        module("Processes", uses: ["CProcesses"]),
        module("Poppler", uses: ["CPoppler"]),
        module("PictureMessages", uses: ["Confinement"]),
        module("Imaging", uses: ["CVips", "PictureMessages"]),
        module("Dates", uses: ["CICU"]),
        module("Languages", uses: ["CCLD2", "CICU"]),
        module("Telemetry", uses: [.product(name: "Logging", package: "swift-log")]),

        // Parts: do not depend on each other.
        module("REST", uses: ["HTTP", "JSON", "Postgres", "Text"]),
        module("Auth", uses: ["HTTP", "JSON", "Postgres", "Crypto", "ExportFormats"]),
        module("Jobs", uses: ["Mail", "Postgres", "Text", "Threads"]),
        module("Schema", uses: ["Postgres", "Crypto", "Links", "Text"]),
        module("ExportFormats"),
        module(
            "Export",
            uses: [
                "ArticlePages", "ExportFormats", "Folders", "HTML", "JSON", "Jobs", "MarkdownFiles", "Postgres", "Text",
                "ZIP",
            ]),
        module(
            "Import",
            uses: [
                "Charsets", "Crypto", "Dates", "Folders", "ImportFormats", "JSON", "Jobs", "Postgres", "Search", "Text",
                "ZIP",
            ]),
        module("EPUB", uses: ["CICU", "HTML", "Languages", "Links"]),
        module("FeedDocuments", uses: ["Dates", "HTML", "JSON", "Links", "Text"]),
        module("Clippings", uses: ["Charsets", "HTML", "JSON"]),
        module("Backups", uses: ["Crypto", "Folders", "JSON", "Postgres", "Processes", "Tar"]),
        // The APIs of other readers, translated to the rows of this one.
        module("Neighbours", uses: ["Crypto", "Feeds", "HTTP", "JSON", "Postgres", "Search", "Text"]),
        module("Realtime", uses: ["JSON"]),
        module("Readability", uses: ["HTML", "JSON", "Links", "Text", "Dates", "Languages"]),

        // The confined process that reads pages and files, and its messages to and from the jobs process.
        module("ReaderProcess", uses: ["CCMark", "Confinement", "HTML", "Readability", "ZIP"]),
        module(
            "Pictures",
            uses: [
                "Postgres", "Jobs", "HTTPFetch", "HTML", "Links", "Crypto", "Confinement", "Folders", "PictureMessages",
                "Threads",
            ]),

        module(
            "Books",
            uses: [
                "Crypto", "EPUB", "Folders", "Highlights", "Jobs", "PictureMessages", "Pictures", "Postgres", "ZIP",
            ]),

        // The supervisor of deploy/run: starts the services of a home and keeps them running.
        module("HomeServices", uses: ["Crypto", "Folders", "Processes"]),

        // The product, in two halves, so that the FastCGI worker links neither libcurl nor a parser:
        // App answers requests; Saving turns a saved URL into an article.
        module(
            "App",
            uses: [
                "ArticlePages", "HTTP", "JSON", "Feeds", "ImportFormats", "FastCGI", "MarkdownFiles", "Neighbours",
                "Postgres",
                "QRCodes", "REST", "Auth", "Crypto", "Schema",
                "Search", "Settings", "Telemetry", "Text", "Threads",
            ]),
        module(
            "Saving",
            uses: [
                "Postgres", "Schema", "Jobs", "Crypto", "FeedDocuments", "HTTPFetch", "Charsets", "HTML", "Import",
                "JSON",
                "Readability", "Links", "Settings",
                "Telemetry",
                "Confinement", "ReaderProcess", "Dates", "Languages", "Highlights", "Processes", "Threads",
            ]),

        // The only program that links the image decoder.
        program("lectern-pictures", uses: ["Confinement", "Imaging", "PictureMessages"]),
        program("lectern-fcgi", uses: ["App", "FastCGI", "Processes", "Settings", "Telemetry"]),
        // The only program that links SwiftNIO.
        program(
            "lectern-realtime",
            uses: [
                "Auth", "HTTP", "Postgres", "Processes", "REST", "Realtime", "Schema", "Settings", "Telemetry",
                "Threads",
                .product(name: "NIOCore", package: "swift-nio"), .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"), .product(name: "NIOWebSocket", package: "swift-nio"),
            ]),
        // The only program that links Poppler.
        program("lectern-pdf", uses: ["Poppler", "Readability", "ReaderProcess"]),
        program(
            "lectern",
            uses: [
                "HTTP", "JSON", "App", "Saving", "Confinement", "ReaderProcess", "Pictures", "PictureMessages", "Jobs",
                "Books", "Mail", "Export", "ExportFormats", "ImportFormats", "Search", "Auth", "Crypto", "FastCGI",
                "Postgres", "Schema",
                "Settings", "Telemetry",
                "HTTPFetch", "Charsets", "HTML", "Readability", "Links", "Text", "Threads", "Processes", "HomeServices",
                "Clippings", "Highlights", "Backups", "Folders",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ]),

        // A throwaway database for each test that needs one.
        .target(
            name: "TestDatabase", dependencies: ["Postgres", "Schema"], path: "Tests/Support/TestDatabase",
            swiftSettings: [.treatAllWarnings(as: .error)]),
        tests(of: "HTTP"),
        tests(of: "JSON"),
        tests(of: "Crypto"),
        tests(of: "Settings"),
        tests(of: "Telemetry", uses: [.product(name: "Logging", package: "swift-log")]),
        tests(of: "Postgres", uses: ["TestDatabase", "Threads"]),
        tests(of: "Schema", uses: ["Postgres", "TestDatabase", "Text"]),
        tests(of: "REST", uses: ["HTTP", "Postgres"]),
        tests(of: "Auth", uses: ["HTTP", "Crypto", "Postgres", "TestDatabase"]),
        tests(of: "Folders"),
        tests(of: "Threads"),
        tests(of: "Processes", uses: ["Threads"]),
        tests(of: "HomeServices", uses: ["Folders", "Processes"]),
        tests(of: "Jobs", uses: ["Mail", "Postgres", "TestDatabase", "Threads"]),
        tests(
            of: "Saving",
            uses: [
                "CCurl", "Postgres", "Jobs", "HTTPFetch", "Readability", "Settings", "Telemetry", "TestDatabase",
                "ReaderProcess", "Threads", "Processes", "unruly-reader", "lectern-pdf",
            ]),
        // A reader process that misbehaves as its pages tell it to, for the tests.
        .executableTarget(
            name: "unruly-reader", dependencies: ["Confinement", "Readability", "ReaderProcess"],
            path: "Tests/Support/unruly-reader",
            swiftSettings: [.treatAllWarnings(as: .error)]),
        tests(
            of: "App",
            uses: ["HTTP", "FastCGI", "Auth", "Neighbours", "Postgres", "REST", "Search", "Settings", "Telemetry"]),
        tests(of: "FastCGI", uses: ["CFastCGI", "HTTP", "Processes", "Threads", "echo-fcgi"]),
        // A worker and a supervisor without the product, for the tests to start and kill.
        .executableTarget(
            name: "echo-fcgi", dependencies: ["FastCGI", "HTTP", "Processes"], path: "Tests/Support/echo-fcgi",
            swiftSettings: [.treatAllWarnings(as: .error)]),
        // Run by Tests/EndToEnd/jobs/test_random_pages.py.
        .executableTarget(
            name: "fuzz-pages", dependencies: ["HTML", "JSON", "Links", "Readability"],
            path: "Tests/Support/fuzz-pages",
            swiftSettings: [.treatAllWarnings(as: .error)]),
        tests(of: "ZIP"),
        tests(of: "Tar"),
        tests(of: "QRCodes"),
        tests(of: "lectern", uses: [.product(name: "ArgumentParser", package: "swift-argument-parser")]),
        tests(of: "Export", uses: ["JSON", "Jobs", "MarkdownFiles", "ZIP"]),
        tests(of: "Import", uses: ["ImportFormats", "JSON"]),
        tests(of: "EPUB", uses: ["HTML"]),
        tests(of: "Books", uses: ["Folders", "Jobs", "Postgres", "TestDatabase", "Threads"]),
        tests(of: "Clippings", uses: ["JSON"]),
        tests(of: "Backups"),
        tests(of: "Mail", uses: ["CCurl"]),
        tests(of: "Links"),
        tests(of: "Text"),
        tests(of: "MarkdownFiles"),
        tests(of: "ArticlePages"),
        tests(of: "Dates"),
        tests(of: "Languages"),
        tests(of: "Highlights"),
        tests(of: "Search", uses: ["JSON"]),
        tests(of: "Feeds", uses: ["JSON"]),
        tests(of: "FeedDocuments"),
        tests(of: "Charsets"),
        tests(of: "ReaderProcess", uses: ["Confinement", "Readability"]),
        tests(of: "Poppler"),
        tests(of: "Confinement", uses: ["Processes"]),
        tests(
            of: "Pictures",
            uses: ["HTTPFetch", "PictureMessages", "Postgres", "TestDatabase", "lectern-pictures"]),
        tests(of: "PictureMessages", uses: ["Confinement"]),
        tests(of: "Imaging", uses: ["Confinement", "PictureMessages", "lectern-pictures"]),
        tests(of: "HTTPFetch", uses: ["CCurl", "Threads"]),
        tests(of: "HTML", uses: ["Links"]),
        tests(of: "Readability", uses: ["HTML", "JSON", "Links", "Text"]),
        tests(of: "Realtime", uses: ["JSON"]),
        tests(of: "Neighbours", uses: ["HTTP", "JSON", "Postgres", "Search"]),
    ]
)
