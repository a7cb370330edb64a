import Testing

@testable import Clippings

@Suite("Clippings / files")
struct ClippingsFileTests {
    private func books(_ text: String) throws -> [ClippedBook] { try ClippingsFile.books(in: Array(text.utf8)) }

    @Test("a file is known by its content, also after a byte order mark")
    func formats() throws {
        let expected = [ClippedBook(title: "T", clippings: [Clipping(quote: "q", note: "n")])]
        for text in [
            #"{"title":"T","entries":[{"text":"q","note":"n"}]}"#,
            #"return {["stats"]={title="T"}, ["annotations"]={{["drawer"]="x", ["text"]="q", ["note"]="n"}}}"#,
            "T (A)\r\n- Your Highlight | Location 1-2 | Added\r\n\r\nq\r\n==========\r\n"
                + "T (A)\r\n- Your Note | Location 2 | Added\r\n\r\nn\r\n==========\r\n",
            "# T\n##### A\n\n### Page 1 @ 01 January 2024 10:00:00 AM\n*q*\n\n---\nn\n\n_Generated at: 2024_",
            "<!DOCTYPE html><html><body><div><h2>T</h2><h5>A</h5><div><div>1</div><div><span>q</span></div>"
                + "<div><span>n</span></div></div></div></body></html>",
        ] {
            let found = try books("\u{FEFF}\n" + text).map { ClippedBook(title: $0.title, clippings: $0.clippings) }
            #expect(found == expected, "\(text)")
        }
    }

    @Test("a file in UTF-16 with a byte order mark is read")
    func wideCharacters() throws {
        let units = Array("\u{FEFF}川 (A)\r\n- Your Highlight | Location 1-2 | Added\r\n\r\n🌊\r\n==========\r\n".utf16)
        let expected = [ClippedBook(title: "川", heading: "川 (A)", clippings: [Clipping(quote: "🌊")])]
        for file in [
            units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }, units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] },
        ] {
            #expect(try ClippingsFile.books(in: file) == expected)
            // A byte too many.
            #expect(try ClippingsFile.books(in: file + [0x0A]) == expected)
        }
        #expect(throws: ClippingsFile.Failure.self) { try ClippingsFile.books(in: [0xFF, 0xFE]) }
    }

    @Test(
        "another file, a broken one and a hostile one are refused",
        arguments: [
            "", "Hello", "{", #"{"a":1"#, "return {", "return 1", #"return {["a"] = os.exit()}"#, "return {[{}] = }",
            "return " + String(repeating: "{", count: 100_000), #"return {""# + String(repeating: "x", count: 100_000),
            "<html><body>Hello", "### Page 5",
        ])
    func refused(text: String) throws { #expect(throws: ClippingsFile.Failure.self) { try books(text) } }

    @Test(
        "a file without highlights has no books",
        arguments: [
            "{}", #"{"documents": 1}"#, "return {}", #"return {["annotations"] = 5, ["highlight"] = {1, {2}}}"#,
            "<html><h2>T</h2></html>",
        ])
    func empty(text: String) throws { #expect(try books(text) == []) }

    @Test("a file with more than 20,000 highlights is refused")
    func tooMany() throws {
        let entries = Array(repeating: #"{"text":"x"}"#, count: 20_001).joined(separator: ",")
        #expect(throws: ClippingsFile.Failure.tooManyClippings) { try books(#"{"entries":[\#(entries)]}"#) }
    }
}
