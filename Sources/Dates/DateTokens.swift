/// The numbers, words and symbols of a text that may be a date.
struct DateTokens {
    enum Token: Equatable {
        /// With the number of digits, because `06` cannot be a year.
        case number(Int, digits: Int)
        /// In lower case.
        case word(String)
        /// Any other character, except white space.
        case symbol(Character)
    }

    private(set) var tokens: [Token] = []
    /// For each token, whether no space separates it from the previous one.
    private(set) var isAdjacent: [Bool] = []

    /// In characters. Dates are short, and in a longer text the date is at the beginning.
    private static let maxCharacters = 200

    init(_ text: String) {
        var number = 0
        var digits = 0
        var word = ""
        var isBehindSpace = true
        var startsBehindSpace = true

        func finish(_ tokens: inout [Token], _ glued: inout [Bool]) {
            if digits > 0 {
                tokens.append(.number(number, digits: digits))
                glued.append(!startsBehindSpace)
            } else if !word.isEmpty {
                tokens.append(.word(word.lowercased()))
                glued.append(!startsBehindSpace)
            }
            (number, digits, word) = (0, 0, "")
        }

        for scalar in text.unicodeScalars.prefix(Self.maxCharacters) {
            if let digit = Self.digit(scalar) {
                if digits == 0 {
                    finish(&tokens, &isAdjacent)
                    startsBehindSpace = isBehindSpace
                }
                // No date has a number longer than a count of milliseconds.
                if digits < 15 { number = number * 10 + digit }
                digits += 1
                isBehindSpace = false
            } else if scalar.properties.isAlphabetic || scalar.properties.generalCategory == .nonspacingMark {
                if digits > 0 || word.isEmpty {
                    finish(&tokens, &isAdjacent)
                    startsBehindSpace = isBehindSpace
                }
                word.unicodeScalars.append(scalar)
                isBehindSpace = false
            } else {
                finish(&tokens, &isAdjacent)
                // Arabic dates contain direction marks between the numbers.
                let isSpace = scalar.properties.isWhitespace || scalar.properties.generalCategory == .format
                if !isSpace {
                    tokens.append(.symbol(Character(scalar)))
                    isAdjacent.append(!isBehindSpace)
                }
                isBehindSpace = isSpace
            }
        }
        finish(&tokens, &isAdjacent)
    }

    /// The digit's value, in any script.
    private static func digit(_ scalar: Unicode.Scalar) -> Int? {
        if scalar.value < 0x80 { return scalar.value >= 0x30 && scalar.value <= 0x39 ? Int(scalar.value - 0x30) : nil }
        guard scalar.properties.generalCategory == .decimalNumber, let value = scalar.properties.numericValue else {
            return nil
        }
        return Int(value)
    }

    func number(_ index: Int) -> Int? {
        guard tokens.indices.contains(index), case .number(let value, _) = tokens[index] else { return nil }
        return value
    }

    func digits(_ index: Int) -> Int {
        guard tokens.indices.contains(index), case .number(_, let digits) = tokens[index] else { return 0 }
        return digits
    }

    func word(_ index: Int) -> String? {
        guard tokens.indices.contains(index), case .word(let word) = tokens[index] else { return nil }
        return word
    }

    func symbol(_ index: Int) -> Character? {
        guard tokens.indices.contains(index), case .symbol(let sign) = tokens[index] else { return nil }
        return sign
    }

    func isAdjacent(_ index: Int) -> Bool { isAdjacent.indices.contains(index) && isAdjacent[index] }
}
