/// The length of a text in words, including scripts that do not separate words: an ideograph or kana counts as half a
/// word, a letter of Thai and similar scripts as a quarter.
struct TextLength {
    private(set) var units = 0
    var words: Int { (units + 3) / 4 }

    mutating func addWord() { units += 4 }
    mutating func addIdeograph() { units += 2 }
    mutating func addSpacelessLetter() { units += 1 }
    mutating func add(_ other: TextLength) { units += other.units }
    func since(_ former: TextLength) -> TextLength {
        var more = self
        more.units -= former.units
        return more
    }
}
