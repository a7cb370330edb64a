/// The page exceeds its parse budget.
public enum ParseError: Error, Equatable {
    case tooLarge(bytes: Int, limit: Int)
    case overBudget
}
