import Glibc
import ImportFormats
import Testing

@testable import Import

/// 2026-11-01.
private let now = 1_793_491_200

/// The format and the entries of a file.
private func read(
    _ text: String, name: String = "export", as format: ImportFormat? = nil, pieces: Int = 7
) throws -> (format: ImportFormat, entries: [ImportedEntry])? {
    try read(Array(text.utf8), name: name, as: format, pieces: pieces)
}

private func read(
    _ bytes: [UInt8], name: String = "export", as format: ImportFormat? = nil, pieces: Int = 7
) throws -> (format: ImportFormat, entries: [ImportedEntry])? {
    /// The bytes in pieces of a few bytes, so that every place is once the end of a piece.
    func open() -> Pieces {
        var rest = bytes[...]
        return {
            defer { rest = rest.dropFirst(pieces) }
            return rest.isEmpty ? nil : Array(rest.prefix(pieces))
        }
    }
    guard let file = try ImportFile.file(ImportFile.head(open()), name: name, as: format, now: now, open: open) else {
        return nil
    }
    var entries: [ImportedEntry] = []
    try file.read { entries.append($0) }
    return (file.format, entries)
}

@Suite("Import / formats")
struct ImportFileTests {
    @Test("Pocket's columns are found by their names, whatever their order, separator, line ends and byte order mark")
    func pocket() throws {
        let texts = [
            "title,url,time_added,tags,status\r\n\"A, \"\"quoted\"\" title\",https://a.org/1,1700000000,one|two words,archive\r\n",
            "\u{FEFF}status;cursor;tags;time_added;url;title\narchive;;one|two words;1700000000;https://a.org/1;\"A, \"\"quoted\"\" title\"",
        ]
        for text in texts {
            let (format, entries) = try #require(try read(text))
            #expect(format == .pocketCSV && entries.count == 1)
            #expect(entries[0].title == #"A, "quoted" title"# && entries[0].url == "https://a.org/1")
            #expect(entries[0].time == 1_700_000_000_000_000 && entries[0].isRead && !entries[0].isArchived)
            #expect(entries[0].tags == ["one", "two words"])
        }
    }

    @Test("a field may hold line ends, entities and no value; missing and extra columns do no harm")
    func fields() throws {
        let text = "url,title,time_added\nhttps://a.org/,\"Two\nlines &amp; more\"\nhttps://b.org/,,0,more,columns\n\n"
        let entries = try #require(try read(text)).entries
        #expect(entries.map(\.title) == ["Two\nlines & more", nil] && entries.map(\.time) == [nil, nil])
    }

    @Test("Instapaper's folders are states or collections")
    func instapaper() throws {
        let text = """
            URL,Title,Selection,Folder,Timestamp,Tags
            https://a.org/1,One,,Unread,1700000000,"[]"
            https://a.org/2,Two,Chosen words,Archive,1700000000,"[""x"", ""y z""]"
            https://a.org/3,Three,,Starred,1700000000,
            https://a.org/4,Four,,Recipes,1700000000,
            """
        let (format, entries) = try #require(try read(text))
        #expect(format == .instapaper)
        #expect(entries.map(\.isRead) == [false, true, false, false])
        #expect(entries.map(\.isStarred) == [false, false, true, false])
        #expect(entries.map(\.collections) == [[], [], [], [["Recipes"]]])
        #expect(entries[1].tags == ["x", "y z"] && entries[1].description == "Chosen words")
    }

    @Test("Readwise writes tags as a list of Python, and its highlights in a table of their own")
    func readwise() throws {
        let reader = """
            Title,URL,ID,Document tags,Saved date,Reading progress,Location,Seen
            It's one,https://a.org/1,01h,"['news', ""it's"", 'a, b']",2024-05-06 07:08:09.123456+00:00,0.5,archive,True
            """
        let (format, entries) = try #require(try read(reader))
        #expect(format == .readwise && entries[0].tags == ["news", "it's", "a, b"] && entries[0].isRead)
        #expect(entries[0].time == 1_714_979_289_123_456)
        let marks = """
            Highlight,Title,Author,URL,Note,Location,Date
            "Words, marked",One,Ada,https://a.org/1,Mine,0,2024-05-06 07:08:09
            """
        let marked = try #require(try read(marks))
        #expect(marked.format == .readwise)
        #expect(
            marked.entries[0].passages == [
                .init(quote: "Words, marked", note: "Mine", time: 1_714_979_289_000_000, color: nil)
            ])
    }

    @Test("Raindrop, Matter and our own table are told by their columns")
    func tables() throws {
        let raindrop = try #require(
            try read(
                "id,title,note,excerpt,url,folder,tags,created,cover,highlights,favorite\n"
                    + "1,T,N,E,https://a.org/,A / B,\"x, y\",2024-05-06T07:08:09.000Z,,,true\n"))
        #expect(raindrop.format == .raindrop && raindrop.entries[0].collections == [["A", "B"]])
        #expect(
            raindrop.entries[0].isStarred && raindrop.entries[0].note == "N" && raindrop.entries[0].tags == ["x", "y"])
        let matter = try #require(
            try read(
                "Title,Author,Publisher,URL,Tags,Word Count,In Queue,Favorited,Read,Highlight_Count,Last_Interaction_Date\n"
                    + "T,A,P,https://a.org/,x,10,False,True,False,0,2024-05-06T07:08:09Z\n"))
        #expect(matter.format == .matter && matter.entries[0].isRead && matter.entries[0].isStarred)
        let own = try #require(
            try read(
                "url,title,tags,created_at,list,status,starred,note,collections\n"
                    + "https://a.org/,T,\"x,y\",2024-05-06T07:08:09.000001Z,archive,read,true,N,A/B\n"))
        #expect(own.format == .lectern && own.entries[0].isArchived && own.entries[0].isRead)
        #expect(own.entries[0].time == 1_714_979_289_000_001 && own.entries[0].collections == [["A", "B"]])
    }

    @Test("names with separators come back from our own table, and other backslashes are themselves")
    func escapedNames() throws {
        let table = #"""
            url,title,tags,created_at,list,status,starred,note,collections
            mailto:x@a.org,T,"a\, b,c\\d,e/f,g\h",2024-05-06T07:08:09Z,archive,read,true,N,"AC\/DC\, live/x,y"
            https://b.org/,,,,,,,,
            """#
        let entries = try #require(try read(table)).entries
        #expect(entries[0].tags == ["a, b", #"c\d"#, "e/f", #"g\h"#])
        #expect(entries[0].collections == [["AC/DC, live", "x"], ["y"]] && entries[0].reasonNotToSave == nil)
        #expect(entries[1].tags == [] && entries[1].collections == [])
    }

    @Test("our own JSON has the paths of collections as names, and any address")
    func ownJSON() throws {
        let json = #"""
            [{"saved_url": "mailto:x@a.org", "url": "mailto:x@a.org", "starred": false, "highlights": [],
            "collections": ["AC/DC, live"], "collection_paths": [["AC/DC, live"]], "site": "The site", "dir": "rtl"},
            {"url": "mailto:y@a.org", "collections": ["A/B"]}]
            """#
        let entries = try #require(try read(json)).entries
        #expect(entries.map(\.collections) == [[["AC/DC, live"]], [["A", "B"]]])
        #expect(entries[0].reasonNotToSave == nil && entries[1].reasonNotToSave != nil)
        #expect(entries[0].siteName == "The site" && entries[0].direction == "rtl")
    }

    @Test("bookmarks have folders, tags, descriptions and states; folders of all bookmarks and searches are left out")
    func bookmarks() throws {
        let text = """
            <!DOCTYPE NETSCAPE-Bookmark-file-1>
            <TITLE>Bookmarks</TITLE><H1>Bookmarks</H1>
            <DL><p>
              <DT><H3 PERSONAL_TOOLBAR_FOLDER="true">Bar</H3>
              <DL><p>
                <DT><A HREF="https://a.org/?x=1&amp;y=2" ADD_DATE="1700000000" TAGS="one,two words" TOREAD="0">A &lt;b&gt; &eacute;</A>
                <DD>Said of it
              </DL><p>
              <DT><H3>News &amp; more</H3>
              <DL><p>
                <DT><H3>Inner</H3>
                <DL><p><DT><A HREF=https://b.org/ ADD_DATE=1700000000123>B</A></DL><p>
                <DT><A HREF="javascript:alert(1)">Script</A>
                <DT><A HREF="place:sort=8">Recent</A>
                <DT><A HREF="https://c.org/" TOREAD="1">https://c.org/</A>
                <DD>D[linkding-notes]Noted[/linkding-notes]
              </DL><p>
            </DL>
            """
        let (format, entries) = try #require(try read(text, pieces: 3))
        #expect(format == .netscape)
        #expect(
            entries.map(\.url) == ["https://a.org/?x=1&y=2", "https://b.org/", "javascript:alert(1)", "https://c.org/"])
        #expect(entries[0].title == "A <b> \u{E9}" && entries[0].tags == ["one", "two words"])
        #expect(entries[0].description == "Said of it" && entries[0].isRead && entries[0].collections == [])
        #expect(entries[1].collections == [["News & more", "Inner"]] && entries[1].time == 1_700_000_000_123_000)
        #expect(entries[2].collections == [["News & more"]] && ImportedEntry.problem(of: entries[2].url) != nil)
        #expect(
            entries[3].title == nil && !entries[3].isRead && entries[3].note == "Noted" && entries[3].description == "D"
        )
        #expect(try read("<!DOCTYPE NETSCAPE-Bookmark-file-1><!-- Shaarli all bookmarks -->")?.format == .shaarli)
    }

    @Test("Pocket's and Instapaper's pages have lists below headings")
    func headedLists() throws {
        let list = """
            <h1>Unread</h1><ul><li><a href="https://a.org/" time_added="1700000000" tags="x,y">A</a></li></ul>
            <h1>Read Archive</h1><ul><li><a href="https://b.org/" time_added="1700000000" tags="">https://b.org/</a></li></ul>
            """
        let (format, entries) = try #require(try read("<html><head><title>Pocket Export</title></head>" + list))
        #expect(format == .pocketHTML && entries.map(\.isRead) == [false, true])
        #expect(entries[0].tags == ["x", "y"] && entries[1].title == nil)
    }

    @Test("outlines of OPML are links or folders")
    func outlines() throws {
        let text = """
            <?xml version="1.0"?><opml version="2.0"><body><outline text="News">
            <outline text="A &amp; B" type="rss" xmlUrl="https://a.org/feed" htmlUrl="https://a.org/"/>
            <outline text="C" xmlUrl='https://c.org/feed'></outline></outline>
            <outline type="link" text="D" url="https://d.org/" /></body></opml>
            """
        let (format, entries) = try #require(try read(text))
        #expect(format == .opml && entries.map(\.url) == ["https://a.org/", "https://c.org/feed", "https://d.org/"])
        #expect(entries.map(\.collections) == [[["News"]], [["News"]], []] && entries[0].title == "A & B")
    }

    @Test("folders in folders without end are read like those of a few levels")
    func deepFolders() throws {
        let depth = 20_000
        let outlines = String(repeating: "<outline text=\"Folder\">", count: depth)
        let opml =
            "<opml version=\"2.0\"><body>\(outlines)<outline text=\"A\" url=\"https://a.org/\"/>"
            + String(repeating: "</outline>", count: depth)
            + "<outline text=\"B\" url=\"https://b.org/\"/></body></opml>"
        let lists = String(repeating: "<DT><H3>Folder</H3><DL>", count: depth)
        let bookmarks =
            "<!DOCTYPE NETSCAPE-Bookmark-file-1><DL>\(lists)<DT><A HREF=\"https://a.org/\">A</A>"
            + String(repeating: "</DL>", count: depth) + "<DT><A HREF=\"https://b.org/\">B</A></DL>"
        for text in [opml, bookmarks] {
            let entries = try #require(try read(text, pieces: 4_096)).entries
            #expect(entries.map(\.url) == ["https://a.org/", "https://b.org/"])
            #expect((20...50).contains(entries[0].collections[0].count) && entries[1].collections.isEmpty)
        }
    }

    @Test("a line of a table with thousands of fields is refused")
    func wideTable() {
        let text = "url,title,time_added\n" + String(repeating: ",", count: 5_000)
        #expect(throws: UnreadableFile.self) { try read(text) }
    }

    @Test("wallabag's entries come with their content and annotations")
    func wallabag() throws {
        let text = #"""
            [{"is_archived":1,"is_starred":true,"tags":["x"],"id":1,"title":"Caf\u00e9 &amp; more","url":"https://a.org/",
            "content":"<p>Braces } ] and \"quotes\"</p>","created_at":"2024-05-06T07:08:09+0200",
            "annotations":[{"text":"Mine","quote":"quotes","created_at":"2024-05-06T07:08:09+02:00"}]},
            {"url":"https://b.org/","title":null,"is_archived":0,"content":"wallabag can't retrieve contents for this article."}]
            """#
        let (format, entries) = try #require(try read(text))
        #expect(format == .wallabag && entries.map(\.title) == ["Caf\u{E9} & more", nil])
        #expect(entries[0].html == #"<p>Braces } ] and "quotes"</p>"# && entries[0].isRead && entries[0].isStarred)
        #expect(entries[0].time == 1_714_972_089_000_000 && entries[0].passages[0].note == "Mine")
        #expect(entries[1].html == nil && !entries[1].isRead)
    }

    @Test(
        "JSON exports are told by their names",
        arguments: [
            (
                #"[{"href":"https://a.org/","description":"T","extended":"E","toread":"no","tags":"x y","time":"2024-05-06T07:08:09Z"}]"#,
                ImportFormat.pinboard
            ),
            (
                #"{"count":1,"next":null,"results":[{"url":"https://a.org/","title":"T","tag_names":["x","y"],"unread":false}]}"#,
                .linkding
            ),
            (#"[{"url":"https://a.org/","title":"T","tag_names":["x","y"],"is_archived":true}]"#, .linkding),
            (#"{"items":[{"link":"https://a.org/","title":"T","tags":["x","y"],"important":false}]}"#, .raindrop),
            (
                #"{"bookmarks":[{"createdAt":1700000000,"title":"T","tags":["x","y"],"archived":true,"content":{"type":"link","url":"https://a.org/"}}]}"#,
                .karakeep
            ),
            (
                #"[{"id":"1","slug":"t","title":"T","url":"https://a.org/","state":"Archived","labels":["x","y"],"savedAt":"2024-05-06T07:08:09Z"}]"#,
                .omnivore
            ),
            (
                #"{"id":1,"username":"u","collections":[{"name":"C","links":[{"name":"T","url":"https://a.org/","tags":[{"name":"x"},{"name":"y"}]}]}]}"#,
                .linkwarden
            ),
            (#"{"links":[{"raw_url":"https://a.org/","title":"T","tags":["x","y"],"status":"read"}]}"#, .lectern),
        ])
    func json(text: String, expected: ImportFormat) throws {
        let (format, entries) = try #require(try read(text))
        #expect(format == expected && entries.count == 1)
        #expect(
            entries.first?.url == "https://a.org/" && entries.first?.title == "T" && entries.first?.tags == ["x", "y"])
    }

    @Test("karakeep's lists are collections, and its notes are no links")
    func karakeep() throws {
        let text = """
            {"bookmarks":[{"title":"T","content":{"type":"link","url":"https://a.org/"},"lists":["2"],"note":"N"},
            {"title":"Note","content":{"type":"text","text":"Words"}}],
            "lists":[{"id":"2","name":"In","parentId":"1"},{"id":"1","name":"Out","parentId":null}]}
            """
        let entries = try #require(try read(text)).entries
        #expect(entries[0].collections == [["Out", "In"]] && entries[0].note == "N")
        #expect(entries[1].url == nil && entries[1].problem?.contains("note") == true)
    }

    @Test("bookmarks of Chrome and Firefox have dates since 1601 and in microseconds")
    func trees() throws {
        let chrome = #"""
            {"checksum":"x","roots":{"bookmark_bar":{"children":[{"name":"F","type":"folder","children":[{"date_added":"13344473600000000","name":"A","type":"url","url":"https://a.org/"}]}],"name":"Bar"},"sync_transaction_version":"1"},"version":1}
            """#
        let (format, entries) = try #require(try read(chrome))
        #expect(format == .chrome && entries[0].collections == [["F"]] && entries[0].time == 1_700_000_000_000_000)
        let firefox = #"""
            {"guid":"root________","title":"","typeCode":2,"children":[{"guid":"menu________","title":"menu","typeCode":2,"children":[{"title":"F","typeCode":2,"children":[{"title":"A","typeCode":1,"uri":"https://a.org/","dateAdded":1700000000000000,"tags":"x,y"},{"typeCode":1,"uri":"place:x"},{"typeCode":3}]}]}]}
            """#
        let fox = try #require(try read(firefox))
        #expect(fox.format == .firefox && fox.entries.count == 1 && fox.entries[0].collections == [["F"]])
        #expect(fox.entries[0].tags == ["x", "y"] && fox.entries[0].time == 1_700_000_000_000_000)
    }

    @Test("a list of addresses may have blank lines, titles and lines that are no address")
    func lines() throws {
        let (format, entries) = try #require(
            try read("\nhttps://a.org/\r\n\r\nhttps://b.org/ A title\nno address\n", as: .urls))
        #expect(format == .urls && entries.map(\.url) == ["https://a.org/", "https://b.org/", "no"])
        #expect(entries[1].title == "A title" && ImportedEntry.problem(of: entries[2].url) != nil)
        #expect(try read("https://a.org/\nhttps://b.org/\n")?.format == .urls)
    }

    @Test("Markdown with an address in its frontmatter is imported with its text")
    func markdown() throws {
        let text = """
            ---
            title: "A \\"quoted\\" title"
            url: https://a.org/
            bookmarked: 2024-05-06T07:08:09Z
            tags: [x, "y z"]
            categories:
              - other
            list: archive
            status: read
            starred: true
            note: 'It''s mine'
            ---

            # Heading

            Words.
            """
        let (format, entries) = try #require(try read(text, name: "a.md"))
        #expect(format == .markdown && entries[0].title == #"A "quoted" title"# && entries[0].tags == ["x", "y z"])
        #expect(entries[0].isArchived && entries[0].isRead && entries[0].isStarred && entries[0].note == "It's mine")
        #expect(entries[0].html == "# Heading\n\nWords." && entries[0].isMarkdown)
    }

    @Test("highlights of exported Markdown come in again, without the escapes")
    func markedMarkdown() throws {
        let text = """
            ---
            url: https://a.org/
            highlights: 2
            ---
            Words.

            ## Highlights

            > Two \\* paragraphs
            >
            > of a passage

            Mine

            > Another
            """
        let entry = try #require(try read(text, name: "a.md")?.entries.first)
        #expect(entry.html == "Words." && entry.passages.map(\.quote) == ["Two * paragraphs\nof a passage", "Another"])
        #expect(entry.passages.map(\.note) == ["Mine", nil])
    }

    @Test(
        "other files may be documents",
        arguments: [
            ("Some words of a letter.\nhttps://a.org/\n", "letter.txt"), ("# Notes\n\nWords", "notes.md"),
            ("<!doctype html><title>Page</title><p>Words", "page.html"), ("[link](https://a.org/) is here", "a.txt"),
            ("%PDF-1.4\n\0", "a.pdf"),
        ])
    func documents(text: String, name: String) throws { #expect(try read(text, name: name) == nil) }

    @Test(
        "a file that is cut off, or not what its name or the user says, is refused with a reason",
        arguments: [
            (#"[{"url":"https://a.org/","is_archived":1,"title":"cut"#, "a.json", nil),
            (#"[{"url":"https://a.org/","is_archived":tru}]"#, "a.json", nil),
            ("title,url,time_added\n\"not closed,https://a.org/,1", "a.csv", nil),
            ("name,phone\nAda,1\n", "a.csv", nil), ("{}", "a.json", nil),
            ("Words", "a.txt", ImportFormat.wallabag), ("name,phone\nAda,1\n", "a.csv", .instapaper),
            ("\0\u{1}", "a.csv", .pocketCSV),
        ] as [(String, String, ImportFormat?)])
    func refused(text: String, name: String, format: ImportFormat?) {
        #expect(throws: UnreadableFile.self) { try read(text, name: name, as: format) }
    }

    @Test("text in UTF-16 and in ISO 8859-1 is read")
    func charsets() throws {
        let text = "url,title,time_added\nhttps://a.org/,Gr\u{FC}\u{DF}e \u{1F600},1\n"
        let units = text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        #expect(try read([0xFF, 0xFE] + units, pieces: 5)?.entries.first?.title == "Gr\u{FC}\u{DF}e \u{1F600}")
        let latin = Array("url,title,time_added\nhttps://a.org/,Gr".utf8) + [0xFC, 0xDF] + Array("e,1\n".utf8)
        #expect(try read(latin)?.entries.first?.title == "Gr\u{FC}\u{DF}e")
        let windows =
            Array("url,title,time_added\nhttps://a.org/,".utf8) + [0x93, 0xFC, 0x94, 0x96] + Array(",1\n".utf8)
        #expect(try read(windows)?.entries.first?.title == "\u{201C}\u{FC}\u{201D}\u{2013}")
    }

    @Test("bookmarks and outlines are read in the encoding that they declare")
    func declared() throws {
        // "Привет" and "日本語".
        let russian: [UInt8] = [0xCF, 0xF0, 0xE8, 0xE2, 0xE5, 0xF2]
        let japanese: [UInt8] = [0x93, 0xFA, 0x96, 0x7B, 0x8C, 0xEA]
        func bookmarks(_ charset: String, _ title: [UInt8]) -> [UInt8] {
            Array(
                """
                <!DOCTYPE NETSCAPE-Bookmark-file-1>
                <META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=\(charset)">
                <DL><p><DT><A HREF="https://a.org/">
                """.utf8) + title + Array("</A></DL>".utf8)
        }
        #expect(try read(bookmarks("windows-1251", russian))?.entries.first?.title == "Привет")
        #expect(try read(bookmarks("Shift_JIS", japanese))?.entries.first?.title == "日本語")
        #expect(try read(bookmarks("windows-1251", Array("Grüße".utf8)))?.entries.first?.title == "Grüße")
        let outline =
            Array(#"<?xml version="1.0" encoding="windows-1251"?><opml><body><outline text=""#.utf8) + russian
            + Array(#"" htmlUrl="https://a.org/"/></body></opml>"#.utf8)
        #expect(try read(outline)?.entries.first?.title == "Привет")
    }

    @Test("a first line that tells Excel the separator is not the header")
    func separator() throws {
        for line in ["sep=;", "\"sep=;\"", "SEP=;"] {
            let (format, entries) = try #require(
                try read("\(line)\r\ntitle;url;time_added;tags\r\nA, B;https://a.org/;1700000000;one|two\r\n"))
            #expect(format == .pocketCSV && entries.map(\.title) == ["A, B"] && entries[0].tags == ["one", "two"])
        }
    }

    @Test("collections of Linkwarden are nested")
    func nested() throws {
        let text = #"""
            {"username":"ada","collections":[
            {"id":2,"name":"Inner","parentId":1,"links":[{"name":"A","url":"https://a.org/"}]},
            {"id":1,"name":"Outer","parentId":null,"links":[{"name":"B","url":"https://b.org/"}]},
            {"id":3,"name":"Unorganized","parentId":null,"links":[{"name":"C","url":"https://c.org/"}]}]}
            """#
        let entries = try #require(try read(text)).entries
        #expect(entries.map(\.collections) == [[["Outer", "Inner"]], [["Outer"]], []])
    }

    @Test("wallabag's table has its dates")
    func wallabagTable() throws {
        let text =
            "Title;URL;Content;Tags;\"MIME Type\";Language;\"Creation date\"\n"
            + "A;https://a.org/;Words;\"one, two\";text/html;en;\"06/05/2024 07:08:09\"\n"
        #expect(try read(text)?.entries.first?.time != nil)
    }
}
