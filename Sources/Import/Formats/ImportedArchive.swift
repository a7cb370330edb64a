import ImportFormats
import JSON
import Text
import ZIP

/// A ZIP file that services export: the parts of one table, or files that belong together.
struct ImportedArchive {
    /// What the whole archive may unpack to.
    private static let maxUnpacked = 3 << 30
    /// Endings of the files that exports are written in. The format of each is looked up.
    private static let dataEndings: Set = ["csv", "tsv", "json", "opml"]
    /// Files with other endings of which the format is looked up, such as bookmarks among articles in HTML. Once one is
    /// found, so is that of all files with its ending.
    private static let maxProbed = 50
    /// Bytes of an article, and of a manifest.
    private static let (maxArticle, maxManifest) = (20 << 20, 1 << 20)

    private let archive: ZIPReader
    /// The files that programs have not added of their own accord, sorted by name.
    private let entries: [ZIPReader.Entry]
    private let byName: [String: ZIPReader.Entry]
    /// The folder around a personal export that was packed again, with its slash.
    private let folder: String

    init(_ path: String) throws {
        do throws(ZIPReader.Failure) {
            archive = try ZIPReader(path: path, limit: Self.maxUnpacked)
        } catch {
            throw UnreadableFile(error)
        }
        entries = archive.entries.filter { entry in
            !entry.name.split(separator: "/").contains { $0 == "__MACOSX" || $0.hasPrefix(".") }
        }.sorted { $0.name < $1.name }
        byName = Dictionary(entries.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
        let manifest = entries.first { Self.name($0) == "manifest.json" }?.name ?? ""
        folder = String(manifest.dropLast("manifest.json".utf8.count))
    }

    /// - Returns: nil where no file has a known format.
    func file(as given: ImportFormat?, now: Int) throws -> ImportFile? {
        if given ?? .lectern == .lectern, let manifest = entry(called: "manifest.json"),
            JSON(parsing: try read(manifest, limit: Self.maxManifest))?["format"]?.string == "lectern-export"
        {
            return ImportFile(
                format: .lectern, read: { emit in try PersonalExport(self, now: now).read(emit) },
                open: { path in try entry(at: path).map { try open($0) } })
        }
        let metadata = entries.filter { Self.name($0).hasPrefix("metadata_") && Self.ending($0) == "json" }
        if given ?? .omnivore == .omnivore, !metadata.isEmpty {
            return ImportFile(format: .omnivore) { emit in
                try OmnivoreExport(self, metadata: metadata, now: now).read(emit)
            }
        }
        let notes = entries.filter { ["md", "markdown"].contains(Self.ending($0)) }
        if given ?? .markdown == .markdown, !notes.isEmpty, given != nil || 2 * notes.count > entries.count {
            return ImportFile(format: .markdown) { emit in
                for note in notes {
                    try emit(MarkdownFile.entry(String(utf8OrLatin1: try text(of: note)), now: now))
                }
            }
        }
        return try parts(as: given, now: now)
    }

    /// Files of known formats, read one after the other.
    private func parts(as given: ImportFormat?, now: Int) throws -> ImportFile? {
        var parts: [ImportFile] = []
        var annotations: [ZIPReader.Entry] = []
        var (endings, probed) = (Self.dataEndings, 0)
        let data = entries.filter { endings.contains(Self.ending($0)) }
        // Bookmarks stand above the folders of articles.
        let others = entries.filter { !endings.contains(Self.ending($0)) }
            .sorted { $0.name.count { $0 == "/" } < $1.name.count { $0 == "/" } }
        for entry in data + others {
            if !endings.contains(Self.ending(entry)) {
                guard probed < Self.maxProbed else { continue }
                probed += 1
            }
            if entry.name.contains("annotations/"), Self.ending(entry) == "json" {
                annotations.append(entry)
                continue
            }
            let head = try ImportFile.head(try open(entry))
            guard !head.bytes.isEmpty else { continue }
            // Files that belong to the export without being part of it, such as a note for the reader.
            let part = try? ImportFile.file(head, name: entry.name, as: given, now: now) { try open(entry) }
            guard let part else { continue }
            // Settings and the like may look like a plain list, so one counts only without another format before it.
            let isPlain = part.format == .lectern || part.format == .urls
            if parts.isEmpty || parts[0].format == part.format || !isPlain {
                parts.append(part)
                // A given format is not checked, and articles may have the ending of bookmarks.
                if given == nil { endings.insert(Self.ending(entry)) }
            }
        }
        if parts.isEmpty {
            if entries.contains(where: { Self.ending($0) == "zip" }) {
                throw UnreadableFile("This ZIP file holds another ZIP file. Unpack it, and import that one.")
            }
            if let given {
                throw UnreadableFile("This ZIP file holds no file of the format \(given.rawValue).")
            }
            return nil
        }
        return ImportFile(format: parts[0].format) { emit in
            for part in parts { try part.read(emit) }
            for file in annotations {
                try JSONFile.read(try open(file)) { _, value in try emit(JSONFormats.pocketAnnotations(value, now: now))
                }
            }
        }
    }

    // MARK: - Files

    /// A file of this name in any folder.
    func entry(called name: String) -> ZIPReader.Entry? { entries.first { Self.name($0) == name } }

    /// The file at a path of a personal export.
    func entry(at path: String) -> ZIPReader.Entry? { byName[path] ?? byName[folder + path] }

    func open(_ entry: ZIPReader.Entry) throws -> Pieces {
        do throws(ZIPReader.Failure) {
            let next = try archive.open(entry)
            return {
                do throws(ZIPReader.Failure) { return try next() } catch { throw UnreadableFile(error) }
            }
        } catch {
            throw UnreadableFile(error)
        }
    }

    func read(_ entry: ZIPReader.Entry, limit: Int) throws -> [UInt8] {
        do throws(ZIPReader.Failure) { return try archive.read(entry, limit: limit) } catch {
            throw UnreadableFile(error)
        }
    }

    /// The content of an article; none where it is too large to be read.
    func text(of entry: ZIPReader.Entry) throws -> [UInt8] {
        entry.size > Self.maxArticle
            ? []
            : try TextPieces.all(FilePieces.of(try read(entry, limit: Self.maxArticle)), limit: 3 * Self.maxArticle)
    }

    static func name(_ entry: ZIPReader.Entry) -> Substring { entry.name.split(separator: "/").last ?? "" }
    static func ending(_ entry: ZIPReader.Entry) -> String {
        (entry.name.split(separator: ".").last ?? "").lowercased()
    }

    /// The files of a folder, by their names without the ending.
    func files(in folder: String, ending: String) -> [String: ZIPReader.Entry] {
        var files: [String: ZIPReader.Entry] = [:]
        for entry in entries where Self.ending(entry) == ending {
            let parts = entry.name.split(separator: "/")
            guard parts.dropLast().last?.lowercased() == folder else { continue }
            files[String(parts[parts.count - 1].dropLast(ending.utf8.count + 1))] = entry
        }
        return files
    }
}

extension UnreadableFile {
    init(_ failure: ZIPReader.Failure) {
        switch failure {
        case .damaged: self.init("This ZIP file is damaged or incomplete.")
        case .encrypted: self.init("This ZIP file is protected by a password.")
        case .tooLarge:
            self.init("This ZIP file unpacks to more than 3 GiB, or has too many files. Import its parts one by one.")
        case .unsafeName: self.init("This ZIP file has names that lead out of its folder.")
        }
    }
}
