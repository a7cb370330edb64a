// What stands behind a release to the press.
extension Boilerplate {
    /// What headings of a company's own words about itself begin with; its name follows.
    static let company = Openings(
        """
        about
        über
        à propos de
        à propos d'
        acerca de
        sobre a
        sobre o
        sobre
        informazioni su
        over
        om
        o firmie
        о компании
        """)

    /// The lines by which press releases end: `###`, `-30-`, `– ends –`.
    static func isEndOfRelease(_ text: ArraySlice<UInt8>) -> Bool {
        let letters = text.filter { isWordCharacter($0) || $0 == UInt8(ascii: "#") }
        guard letters.count < text.count || letters.first == UInt8(ascii: "#") else { return false }
        return ["###", "####", "#####", "30", "ends", "end", "ende", "fin"].contains { letters.elementsEqual($0.utf8) }
    }
}
