/// A line of text on a page, and the box it fills, in points from the page's upper left corner; all 0 where it has none.
public struct PDFLine: Equatable, Sendable {
    public var text = ""
    public var left = 0.0
    public var top = 0.0
    public var right = 0.0
    public var bottom = 0.0
    public var pageHeight: Double
}
