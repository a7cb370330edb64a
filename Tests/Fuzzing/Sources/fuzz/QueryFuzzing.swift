import HTTP
import REST

/// Tests the parsers of a query string, and the SQL that is made of what they read.
enum QueryFuzzing {
    static func test(_ input: [UInt8]) {
        let query = String(decoding: input, as: UTF8.self)
        testParameters(query)
        for (method, body) in bodies {
            let request = Request(method: method, path: "/rest/v1/links", query: query)
            guard let plan = try? Plan(request, .table("links"), body: body, catalog: catalog),
                let sql = try? plan.sql()
            else { continue }
            testStatement(sql.text, binds: sql.binds.count)
        }
    }

    /// One body for each method.
    private static let bodies: KeyValuePairs<String, JSONBody.Outline?> = [
        "GET": nil, "DELETE": nil, "PATCH": outline(#"{"title":"x"}"#),
        "POST": outline(#"[{"title":"x"},{"title":"y"}]"#),
    ]

    private static func outline(_ body: String) -> JSONBody.Outline? { try? JSONBody(Array(body.utf8)).outline }

    /// Parameters that are encoded again are read as they were.
    private static func testParameters(_ text: String) {
        guard let query = try? QueryString(text) else { return }
        let again = query.parameters.map { encoded($0.name) + "=" + encoded($0.value) }.joined(separator: "&")
        promise((try? QueryString(again)) == query, "\(again) is read in another way")
    }

    private static func encoded(_ text: String) -> String {
        text.utf8.map { byte -> String in (byte < 16 ? "%0" : "%") + String(byte, radix: 16) }.joined()
    }

    /// Text of a client is in a statement only as a bind and as a quoted identifier.
    private static func testStatement(_ text: String, binds: Int) {
        var places = 0
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"):
                // A doubled quote is read as the end of one part and the beginning of the next.
                guard let end = rest.firstIndex(of: byte) else { fatalError("an open quote: \(text)") }
                rest = rest[rest.index(after: end)...]
            case UInt8(ascii: "$"): places += 1
            case UInt8(ascii: ";"), UInt8(ascii: "\\"), 0, 0x80...: fatalError("text of a client is SQL: \(text)")
            case UInt8(ascii: "-") where rest.first == byte: fatalError("a comment: \(text)")
            case UInt8(ascii: "/") where rest.first == UInt8(ascii: "*"): fatalError("a comment: \(text)")
            default: break
            }
        }
        promise(places == binds, "\(binds) binds for \(places) places: \(text)")
    }

    private static let catalog = Catalog(tables: [
        .init(
            name: "links",
            columns: [
                .init(name: "id", type: "uuid", isNullable: false),
                .init(name: "title", type: "text", isNullable: true),
                .init(name: "is_starred", type: "bool", isNullable: false),
                .init(name: "updated_at", type: "timestamptz", isNullable: false),
                .init(name: "place", type: "jsonb", isNullable: true),
                .init(name: "words", type: "tsvector", isNullable: true),
            ], primaryKey: ["id"], uniqueKeys: [["id"]]),
        .init(
            name: "tags",
            columns: [
                .init(name: "id", type: "uuid", isNullable: false),
                .init(name: "name", type: "text", isNullable: false),
            ], primaryKey: ["id"], uniqueKeys: [["id"], ["name"]]),
        .init(
            name: "link_tags",
            columns: [
                .init(name: "link_id", type: "uuid", isNullable: false),
                .init(name: "tag_id", type: "uuid", isNullable: false),
            ], primaryKey: ["link_id", "tag_id"], uniqueKeys: [["link_id", "tag_id"]],
            foreignKeys: [
                .init(name: "link_tags_link", columns: ["link_id"], target: "links", targetColumns: ["id"]),
                .init(name: "link_tags_tag", columns: ["tag_id"], target: "tags", targetColumns: ["id"]),
            ]),
    ])
}
