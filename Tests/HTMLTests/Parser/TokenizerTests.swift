import Foundation
import Testing

@testable import HTML

@Suite("HTML / tokenizer")
struct TokenizerTests {
    static let files = ConformanceData.files("tokenizer", ".test")

    @Test("every test of the standard's suite yields its tokens, from each of its initial states", arguments: files)
    func conformance(file: String) throws {
        let data = try Data(contentsOf: ConformanceData.folder.appending(path: "tokenizer/\(file).test"))
        let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let cases = (json["tests"] ?? json["xmlViolationTests"]) as? [[String: Any]] ?? []
        #expect(!cases.isEmpty)
        for test in cases {
            let isEscaped = test["doubleEscaped"] as? Bool ?? false
            // A lone surrogate has no UTF-8 encoding, so no such page exists.
            guard let input = text(test["input"], isEscaped) else { continue }
            let expected = (test["output"] as? [[Any]] ?? []).map { described($0, isEscaped) }
            for state in test["initialStates"] as? [String] ?? ["Data state"] {
                let found = tokens(input, state, test["lastStartTag"] as? String)
                // The expectations concern conversion to XML, which the tokenizer does not do. The test only runs the
                // input.
                if file == "xmlViolation" { continue }
                #expect(found == joined(expected), "\(file): \(test["description"] ?? "") from \(state)")
            }
        }
    }

    // MARK: - Notation of the suite

    private func text(_ value: Any?, _ isEscaped: Bool) -> String? {
        guard let text = value as? String else { return nil }
        return isEscaped ? Self.unescaped(text) : text
    }

    /// Decodes `\uXXXX`; nil if the result contains a lone surrogate.
    private static func unescaped(_ text: String) -> String? {
        var units: [UInt16] = []
        var rest = Array(text.utf16)[...]
        while let first = rest.first {
            if rest.starts(with: "\\u".utf16),
                let unit = UInt16(String(decoding: rest.dropFirst(2).prefix(4), as: UTF16.self), radix: 16)
            {
                units.append(unit)
                rest = rest.dropFirst(6)
            } else {
                units.append(first)
                rest = rest.dropFirst()
            }
        }
        let text = String(decoding: units, as: UTF16.self)
        return text.utf16.elementsEqual(units) ? text : nil
    }

    private func described(_ token: [Any], _ isEscaped: Bool) -> [String] {
        let kind = token[0] as? String ?? ""
        switch kind {
        case "StartTag":
            let attributes = token[2] as? [String: String] ?? [:]
            let isSelfClosing = token.count > 3
            return [kind, text(token[1], isEscaped) ?? ""]
                + attributes.map { "\(text($0, isEscaped) ?? "")=\(text($1, isEscaped) ?? "")" }.sorted()
                + (isSelfClosing ? ["/"] : [])
        case "DOCTYPE":
            return [kind] + (1...3).map { text(token[$0], isEscaped) ?? "none" } + ["\(token[4] as? Bool ?? false)"]
        default: return [kind, text(token[1], isEscaped) ?? ""]
        }
    }

    private func joined(_ tokens: [[String]]) -> [[String]] {
        tokens.reduce(into: []) { tokens, next in
            if next[0] == "Character", let last = tokens.last, last[0] == "Character" {
                tokens[tokens.count - 1][1] += next[1]
            } else {
                tokens.append(next)
            }
        }
    }

    private func tokens(_ input: String, _ state: String, _ lastStartTag: String?) -> [[String]] {
        var document = Document()
        // The byte order mark is removed before tokenizing, together with the charset detection.
        document.bytes = Array(input.utf8)
        SourceText.normaliseLineEnds(of: &document.bytes)
        var tokenizer = Tokenizer(&document, from: 0)
        tokenizer.keepsComments = true
        switch state {
        case "PLAINTEXT state": tokenizer.content = .plaintext
        case "RCDATA state": tokenizer.content = .rcdata
        case "RAWTEXT state": tokenizer.content = .rawText
        case "Script data state": tokenizer.content = .script
        case "CDATA section state": tokenizer.content = .cdata
        default: break
        }
        if let lastStartTag { tokenizer.lastStartTag = tokenizer.elementNames.code(of: lastStartTag) }
        var found: [[String]] = []
        while true {
            let token = tokenizer.next()
            let text = String(decoding: tokenizer.bytes[tokenizer.text.range], as: UTF8.self)
            let name = tokenizer.elementNames.spelling(tokenizer.name)
            switch token {
            case .endOfFile: return joined(found)
            case .text, .null: found.append(["Character", text])
            case .comment: found.append(["Comment", text])
            case .endTag: found.append(["EndTag", name])
            case .startTag:
                let attributes = tokenizer.attributes[tokenizer.tagAttributes.range].map { row in
                    let value = String(decoding: tokenizer.bytes[row.value.range], as: UTF8.self)
                    return "\(tokenizer.attributeNames.spelling(row.name))=\(value)"
                }
                found.append(["StartTag", name] + attributes.sorted() + (tokenizer.isSelfClosing ? ["/"] : []))
            case .doctype:
                let doctype = tokenizer.doctype
                found.append([
                    "DOCTYPE", doctype.name ?? "none", doctype.publicID ?? "none", doctype.systemID ?? "none",
                    "\(!doctype.forcesQuirks)",
                ])
            }
        }
    }
}
