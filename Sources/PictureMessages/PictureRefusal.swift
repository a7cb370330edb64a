/// The reason a picture is not stored: a code for programs, and a sentence for people.
public enum PictureRefusal: String, Error, Sendable, CaseIterable {
    /// The file is not of a supported kind: JPEG, PNG, GIF, WebP, AVIF, SVG, ICO.
    case notAPicture = "not_a_picture"
    /// The file is of a supported kind and cannot be read.
    case unreadable = "unreadable"
    case tooManyPixels = "too_many_pixels"
    case tooLarge = "too_large"
    /// Reading it exceeded the limits of memory or time.
    case overBudget = "over_budget"

    public var sentence: String {
        switch self {
        case .notAPicture: "The URL does not lead to a picture in a supported format."
        case .unreadable: "The picture is damaged, or in a format that is not supported."
        case .tooManyPixels: "The picture has too many pixels."
        case .tooLarge: "The picture's file is too large."
        case .overBudget: "Reading the picture takes too much memory or time."
        }
    }
}
