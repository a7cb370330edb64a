/// How the tokenizer reads the content between tags: the states of section 13.2.5 that the tree builder selects.
enum ContentModel: Sendable {
    case data
    /// Character references are decoded; the only tag recognized is the element's end tag.
    case rcdata
    /// Only the element's end tag is recognized.
    case rawText
    /// Like raw text, with the legacy rules for scripts inside comments.
    case script
    /// Up to the end of the page.
    case plaintext
    /// Up to `]]>`.
    case cdata
}
