import JSON
import REST

/// Tests the readers of JSON, which have to agree: the reader of tokens, the one of values in both grammars, and the one
/// of bodies.
enum JSONFuzzing {
    static func test(_ input: [UInt8]) {
        let lenient = JSON(parsingLeniently: input)
        // The reader of tokens is only given UTF-8.
        guard String(validating: input, as: UTF8.self) != nil else {
            promise((try? JSONBody(input)) == nil, "a body that is not UTF-8 is accepted")
            return
        }
        var reader = JSONReader(input)
        let isJSON = (try? reader.slice()) != nil && (try? reader.end()) != nil
        let value = JSON(parsing: input)
        if let value {
            promise(isJSON, "only one of two readers accepts the text")
            promise(JSON(parsing: value.bytes) == value, "a value that is written is read as another one")
            promise(lenient == value, "the grammars read the text as two values")
        }
        testBody(input, value, isJSON)
    }

    /// A body has the member names of its first object.
    private static func testBody(_ input: [UInt8], _ value: JSON?, _ isJSON: Bool) {
        guard let outline = try? JSONBody(input).outline else {
            if case .object = value { fatalError("an object is refused as a body") }
            return
        }
        promise(isJSON, "a body is accepted that is not JSON")
        switch value {
        case .object(let members): promise(outline.keys == Set(members.map(\.key)).sorted(), "the names differ")
        case .array(let values): promise(values.isEmpty == (outline.shape == .none), "the shape differs")
        // A value nested deeper than this reader allows.
        case nil: break
        default: fatalError("a body is neither an object nor an array")
        }
    }
}
