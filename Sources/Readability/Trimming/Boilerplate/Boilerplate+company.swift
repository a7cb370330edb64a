// Text after a press release.
extension Boilerplate {
    /// The start of headings above a company's description of itself. The company's name follows.
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

    /// Returns whether the line ends a press release: `###`, `-30-`, `– ends –`.
    static func isEndOfRelease(_ text: ArraySlice<UInt8>) -> Bool {
        let letters = text.filter { isWordCharacter($0) || $0 == UInt8(ascii: "#") }
        guard letters.count < text.count || letters.first == UInt8(ascii: "#") else { return false }
        return ["###", "####", "#####", "30", "ends", "end", "ende", "fin"].contains { letters.elementsEqual($0.utf8) }
    }
}
