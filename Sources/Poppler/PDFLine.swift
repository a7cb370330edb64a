/// A line of text on a page with its box, in points from the page's upper left corner. All values are 0 without a box.
public struct PDFLine: Equatable, Sendable {
    public var text = ""
    public var left = 0.0
    public var top = 0.0
    public var right = 0.0
    public var bottom = 0.0
    public var pageHeight: Double
}
