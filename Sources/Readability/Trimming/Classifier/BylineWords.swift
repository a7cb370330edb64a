/// Phrases at the start of lines that name authors.
enum BylineWords {
    private static let words = Openings(
        """
        by
        written by
        posted by
        published by
        story by
        words by
        text by
        reported by
        author:
        von
        par
        por
        di
        door
        af
        av
        autor:
        автор
        oleh
        penulis
        文/
        作者
        """)

    static func opens(_ text: ArraySlice<UInt8>) -> Bool { words.opens(text) }
}
