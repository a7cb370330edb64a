/// A statement in the form that libpq takes: the text, and the binds as C strings.
struct RenderedStatement {
    let text: String
    private var storage: [UInt8] = []
    /// The offset of each bind in `storage`; nil for NULL.
    private var offsets: [Int?] = []

    /// The bytes of the text and the binds.
    var size: Int { text.utf8.count + storage.count }

    /// - Throws: `nulInText`.
    init(_ sql: SQL) throws(PostgresError) {
        text = sql.text
        for bind in sql.binds {
            guard let bind else {
                offsets.append(nil)
                continue
            }
            guard !bind.utf8.contains(0) else { throw .nulInText }
            offsets.append(storage.count)
            storage.append(contentsOf: bind.utf8)
            storage.append(0)
        }
    }

    /// Calls `body` with pointers to the binds, which are valid during the call.
    func withValues<Result>(_ body: ([UnsafePointer<CChar>?]) -> Result) -> Result {
        storage.withUnsafeBytes { buffer in
            let start = buffer.bindMemory(to: CChar.self).baseAddress
            return body(offsets.map { offset in offset.flatMap { start?.advanced(by: $0) } })
        }
    }
}
