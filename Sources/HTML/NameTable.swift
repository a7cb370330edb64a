/// Names of one kind (elements or attributes) as small integers: the known ones first, then those this document adds.
struct NameTable: Sendable {
    private(set) var spellings: [String]
    private var codes: [String: UInt16]

    static let elements = NameTable(known: Tag.spellings)
    static let attributes = NameTable(known: AttributeName.spellings)

    private init(known: [String]) {
        spellings = known
        codes = Dictionary(
            zip(known, UInt16(0)...).map { ($0, $1) }, uniquingKeysWith: { first, _ in first })
    }

    /// The name's code, adding it when it is new.
    ///
    /// A page with more than 65,000 different names is an attack; the last code is then shared.
    mutating func code(of name: String) -> UInt16 {
        if let code = codes[name] { return code }
        guard spellings.count < Int(UInt16.max) else { return UInt16.max - 1 }
        let code = UInt16(spellings.count)
        spellings.append(name)
        codes[name] = code
        return code
    }

    /// The name's code, or nil when nothing in this document bears it.
    func knownCode(of name: String) -> UInt16? { codes[name] }
}
