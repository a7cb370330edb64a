/// A line on a printed page, and its bounding box in points from the upper left corner.
public struct PrintedLine: Equatable, Sendable {
    public var text: String
    public var left: Double
    public var top: Double
    public var right: Double
    public var bottom: Double
    public var page: Int
    public var pageHeight: Double

    public init(text: String, left: Double, top: Double, right: Double, bottom: Double, page: Int, pageHeight: Double) {
        self.text = text
        self.left = left
        self.top = top
        self.right = right
        self.bottom = bottom
        self.page = page
        self.pageHeight = pageHeight
    }

    var height: Double { bottom - top }
}
