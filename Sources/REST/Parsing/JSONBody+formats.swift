import JSON

extension JSONBody {
    /// The body of a form: one object whose members are strings. PostgreSQL converts them to the types of the columns.
    /// The last value of a name counts.
    init(form bytes: [UInt8]) throws(QueryError) {
        guard let encoded = String(validating: bytes, as: UTF8.self) else { throw .badBody("The body is not UTF-8") }
        let form = try QueryString(encoded, part: "body")
        let values = Dictionary(form.parameters.map { ($0.name, $0.value) }, uniquingKeysWith: { _, last in last })
        let keys = values.keys.sorted()
        text = JSONText.object(keys.map { ($0, JSONText.string(values[$0])) })
        outline = Outline(shape: .object, keys: keys, keysMatch: true)
    }

    enum CSVForm {
        /// One object for each row.
        case array
        /// The object of the only row.
        case object
    }

    /// The maximum length of the JSON that a CSV body becomes. It repeats the names of the columns in each row, so it can
    /// be many times as long as the body.
    private static let maxBytesOfCSV = 33_554_432

    /// A body of comma-separated values: the first line names the columns. Values are strings, as in a form; an unquoted
    /// NULL is null.
    init(csv bytes: [UInt8], _ form: CSVForm) throws(QueryError) {
        guard String(validating: bytes, as: UTF8.self) != nil else { throw .badBody("The body is not UTF-8") }
        var reader = CSVReader(bytes)
        let names = try Self.names(&reader)
        let keys = names.map { Array((JSONText.string($0) + ":").utf8) }
        var json: [UInt8] = []
        var lines = 0
        var fields = 0
        while try reader.line({ field throws(QueryError) in
            guard fields < keys.count else { throw Self.unequalLines }
            if fields > 0 || lines > 0 { json.append(UInt8(ascii: ",")) }
            if fields == 0 { json.append(UInt8(ascii: "{")) }
            json += keys[fields]
            Self.append(field, to: &json)
            fields += 1
        }) {
            guard fields == keys.count else { throw Self.unequalLines }
            json.append(UInt8(ascii: "}"))
            guard json.count <= Self.maxBytesOfCSV else {
                throw .tooComplex("A CSV body of more than \(Self.maxBytesOfCSV) bytes as JSON")
            }
            lines += 1
            fields = 0
        }
        let objects = String(decoding: json, as: UTF8.self)
        guard form == .object else {
            text = "[" + objects + "]"
            outline = Outline(
                shape: lines == 0 ? .none : lines == 1 ? .one : .several, keys: names.sorted(), keysMatch: true)
            return
        }
        guard lines == 1 else { throw .badBody("The CSV arguments of a function must be one line") }
        text = objects
        outline = Outline(shape: .object, keys: names.sorted(), keysMatch: true)
    }

    private static let unequalLines = QueryError.badBody("All lines must have same number of fields")

    /// The first line.
    private static func names(_ reader: inout CSVReader) throws(QueryError) -> [String] {
        var names: [String] = []
        _ = try reader.line { field throws(QueryError) in
            var name: [UInt8] = []
            field.forEachByte { name.append($0) }
            names.append(String(decoding: name, as: UTF8.self))
            guard names.count <= maxKeys else { throw .badBody("A CSV body has more than \(maxKeys) columns") }
        }
        guard !names.isEmpty, !names.contains(""), Set(names).count == names.count else {
            throw .badBody("The first line of a CSV body must name the columns, each once")
        }
        return names
    }

    /// Appends the value of a field as JSON, byte by byte: a body may have millions of fields.
    private static func append(_ field: CSVReader.Field, to json: inout [UInt8]) {
        if !field.isQuoted, field.text.elementsEqual("NULL".utf8) { return json += "null".utf8 }
        json.append(UInt8(ascii: "\""))
        field.forEachByte { byte in
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): json += [UInt8(ascii: "\\"), byte]
            case ..<0x20: json += Array("\\u00".utf8) + [hexDigit(byte >> 4), hexDigit(byte & 15)]
            default: json.append(byte)
            }
        }
        json.append(UInt8(ascii: "\""))
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
