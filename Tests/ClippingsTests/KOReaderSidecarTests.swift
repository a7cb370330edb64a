import Testing

@testable import Clippings

@Suite("Clippings / metadata.epub.lua")
struct KOReaderSidecarTests {
    private func book(_ text: String) throws -> ClippedBook {
        KOReaderSidecar.book(in: try #require(LuaTable(parsing: text)))
    }

    @Test("the file beside a book has its title, its id, its highlights and notes, and no bookmarks")
    func current() throws {
        let book = try book(
            #"""
            -- we can read Lua syntax here!
            return {
                ["annotations"] = {
                    [1] = {
                        ["color"] = "red", ["datetime"] = "2025-01-01 10:00:00", ["drawer"] = "lighten",
                        ["note"] = "A \"note\"\
            with lines", ["text"] = "The river\
            begins",
                    },
                    [2] = { ["datetime"] = "2025-01-02 10:00:00", ["text"] = "in One" },
                },
                ["doc_props"] = {
                    ["identifiers"] = "urn:uuid:6F1C1C1E-7F0B-4C55-9F3B-0D8F8F8F8F8F", ["title"] = "\195\156ber alles",
                },
            }
            """#)
        #expect(book.title == "Über alles" && book.id == "6f1c1c1e-7f0b-4c55-9f3b-0d8f8f8f8f8f")
        #expect(
            book.clippings == [
                Clipping(quote: "The river\nbegins", note: "A \"note\"\nwith lines", color: "pink"),
                Clipping(quote: ""),
            ])
    }

    @Test("the file of an older version has its notes among the bookmarks")
    func old() throws {
        let book = try book(
            """
            return {
                ["bookmarks"] = {
                    [1] = { ["datetime"] = "t1", ["highlighted"] = true, ["notes"] = "a b", ["text"] = "Mine" },
                    [2] = { ["datetime"] = "t2", ["highlighted"] = true, ["text"] = "Page 5 c d @ t2" },
                },
                ["highlight"] = {
                    [5] = {
                        [1] = { ["datetime"] = "t1", ["text"] = "a b" }, [2] = { ["datetime"] = "t2", ["text"] = "c" },
                    },
                },
                ["doc_path"] = "/books/Old.epub",
            }
            """)
        #expect(book.title == "Old" && book.id == nil)
        #expect(book.clippings == [Clipping(quote: "a b", note: "Mine"), Clipping(quote: "c")])
    }
}
