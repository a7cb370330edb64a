/// Recognises titles that programs write into files on their own.
enum PrintedTitle {
    /// The names that word processors give to documents without a title.
    private static let defaultTitles: Set<String> = [
        "untitled", "untitled document", "document", "document1", "slide 1", "powerpoint presentation", "presentation",
        "layout 1",
        "unbenannt", "dokument1", "sans titre", "documento1", "sin título", "senza titolo", "无标题", "無題",
    ]
    /// File extensions at the end of titles that are the names of printed files.
    private static let endings = [
        ".doc", ".docx", ".dvi", ".eps", ".fm", ".htm", ".html", ".indd", ".odt", ".pages", ".pdf", ".ppt", ".pptx",
        ".ps", ".qxd", ".rtf",
        ".tex", ".tmp", ".txt", ".xls", ".xlsx",
    ]

    static func isUsable(_ title: String) -> Bool {
        let small = title.lowercased()
        return small.count >= 3 && small.contains(where: \.isLetter) && !defaultTitles.contains(small)
            && !small.hasPrefix("microsoft word - ")
            && !small.hasPrefix("microsoft powerpoint - ") && !endings.contains(where: small.hasSuffix)
    }
}
