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

    /// - Parameter store: stages a batch; `rows` is the number of rows so far.
    init(store: @escaping (_ entries: String, _ rows: Int) throws -> Void) { self.store = store }

    mutating func add(_ entry: ImportedEntry) throws {
        place += 1
        if !entry.isAddition { rows += 1 }
        guard place <= Self.maxRows else {
            throw UnreadableFile("This file has more than 1,000,000 entries. Import it in parts.")
        }
        // An addition without an address adds to nothing.
        if entry.isAddition, entry.problem ?? ImportedEntry.problem(of: entry.url) != nil { return }
        let members: [JSON.Member] = [
            .init("place", .number(Double(place))),
            .init("row", entry.isAddition ? .null : .number(Double(rows))),
            .init("url", entry.stagedURL.map(JSON.string) ?? .null), .init("entry", entry.staged),
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
