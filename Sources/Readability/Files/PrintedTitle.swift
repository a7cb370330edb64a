/// Titles that programs put into files by themselves are none.
enum PrintedTitle {
    /// What word processors call a document without a name.
    private static let nameless: Set<String> = [
        "untitled", "untitled document", "document", "document1", "slide 1", "powerpoint presentation", "presentation", "layout 1",
        "unbenannt", "dokument1", "sans titre", "documento1", "sin título", "senza titolo", "无标题", "無題",
    ]
    /// Ends of the names of files that were printed.
    private static let endings = [
        ".doc", ".docx", ".dvi", ".eps", ".fm", ".htm", ".html", ".indd", ".odt", ".pages", ".pdf", ".ppt", ".pptx", ".ps", ".qxd", ".rtf",
        ".tex", ".tmp", ".txt", ".xls", ".xlsx",
    ]

    static func isOne(_ title: String) -> Bool {
        let small = title.lowercased()
        return small.count >= 3 && small.contains(where: \.isLetter) && !nameless.contains(small) && !small.hasPrefix("microsoft word - ")
            && !small.hasPrefix("microsoft powerpoint - ") && !endings.contains(where: small.hasSuffix)
    }
}
