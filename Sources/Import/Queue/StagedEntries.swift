import JSON

/// Numbers the entries of a file and collects them into batches for `private.stage_import_entries`.
struct StagedEntries {
    /// Entries and bytes of one batch.
    private static let (maxEntries, maxBytes) = (1_000, 2 << 20)
    /// Entries of the largest file.
    private static let maxRows = 1_000_000

    private let store: (_ entries: String, _ rows: Int) throws -> Void
    private var place = 0
    private var batch: [UInt8] = []
    private var count = 0
    /// Entries that are rows of the file.
    private(set) var rows = 0
    private(set) var summary = Summary()

    /// What a file holds.
    struct Summary {
        private var oldest: Int?
        private var newest: Int?
        private var tags: Set<String> = []
        private var collections: Set<[String]> = []
        private var refused = 0
        private var articles = 0

        /// Names beyond this number are not counted.
        private static let maxNames = 10_000

        mutating func add(_ entry: ImportedEntry) {
            if let time = entry.time {
                oldest = min(oldest ?? time, time)
                newest = max(newest ?? time, time)
            }
            if tags.count < Self.maxNames { tags.formUnion(entry.tags.map { $0.lowercased() }) }
            if collections.count < Self.maxNames { collections.formUnion(entry.collections) }
            if entry.html != nil { articles += 1 }
            if !entry.isAddition, entry.reasonNotToSave != nil { refused += 1 }
        }

        var json: String {
            func date(_ micros: Int?) -> JSON { micros.map { .number(Double($0 / 1_000_000)) } ?? .null }
            let members: [JSON.Member] = [
                .init("oldest", date(oldest)), .init("newest", date(newest)),
                .init("tags", .number(Double(tags.count))),
                .init("collections", .number(Double(collections.count))), .init("refused", .number(Double(refused))),
                .init("articles", .number(Double(articles))),
            ]
            return String(decoding: JSON.object(members).bytes, as: UTF8.self)
        }

        /// Of a file that is a link itself.
        static let document = Summary().json
    }

    /// - Parameter store: stages a batch; `rows` is the number of rows so far.
    init(store: @escaping (_ entries: String, _ rows: Int) throws -> Void) { self.store = store }

    /// - Parameter stored: the entry's document in the folder of documents.
    mutating func add(_ entry: ImportedEntry, _ stored: StoredDocument? = nil) throws {
        place += 1
        if !entry.isAddition { rows += 1 }
        var entry = entry
        entry.cutNames()
        summary.add(entry)
        guard place <= Self.maxRows else {
            throw UnreadableFile("This file has more than 1,000,000 entries. Import it in parts.")
        }
        // An addition without an address adds to nothing.
        if entry.isAddition, entry.reasonNotToSave != nil { return }
        var staged = entry.staged
        if let document = entry.document, let stored, case .object(let members) = staged {
            let name = ImportedEntry.clean(ImportedEntry.line(document.name), 255)
            let file: [JSON.Member] = [
                .init("hash", .string(stored.hash)), .init("type", .string(stored.kind.rawValue)),
                .init("name", .string(name.isEmpty ? stored.hash : name)),
                .init("bytes", .number(Double(stored.bytes))),
                .init("address", .string(stored.address)),
            ]
            staged = .object(members + [.init("document", .object(file))])
        }
        let members: [JSON.Member] = [
            .init("place", .number(Double(place))),
            .init("row", entry.isAddition ? .null : .number(Double(rows))),
            .init("url", entry.stagedURL.map(JSON.string) ?? .null), .init("entry", staged),
        ]
        batch.append(UInt8(ascii: batch.isEmpty ? "[" : ","))
        batch += JSON.object(members).bytes
        count += 1
        if count >= Self.maxEntries || batch.count >= Self.maxBytes { try flush() }
    }

    /// Stages what is left.
    mutating func flush() throws {
        guard count > 0 else { return }
        batch.append(UInt8(ascii: "]"))
        try store(String(decoding: batch, as: UTF8.self), rows)
        batch.removeAll(keepingCapacity: batch.count < 2 * Self.maxBytes)
        count = 0
    }
}
