/// Why a picture is not kept: a code programs go by, and a sentence for people.
public enum PictureRefusal: String, Error, Sendable, CaseIterable {
    /// It is no picture of a kind that is read: JPEG, PNG, GIF, WebP, AVIF, SVG, ICO.
    case notAPicture = "not_a_picture"
    /// It says so, and cannot be read.
    case unreadable = "unreadable"
    case tooManyPixels = "too_many_pixels"
    case tooLarge = "too_large"
    /// It took more memory or time to read than a picture may.
    case overBudget = "over_budget"

    public var sentence: String {
        switch self {
        case .notAPicture: "The address leads to something that is no picture."
        case .unreadable: "The picture is damaged, or of a kind that is not read here."
        case .tooManyPixels: "The picture has more pixels than are kept here."
        case .tooLarge: "The picture's file is larger than is kept here."
        case .overBudget: "The picture takes too much memory or time to be read."
        }
    }
}
