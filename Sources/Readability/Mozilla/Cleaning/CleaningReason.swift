/// Why ``ConditionalCleaning`` removes a box, with the numbers that decided it.
enum CleaningReason {
    case weight(Int)
    case label
    case pictures(Int, paragraphs: Int)
    case items(Int, paragraphs: Int)
    case inputs(Int, paragraphs: Int)
    case short(Int)
    case links(Double)
    case embeds(Int)
    case noText

    var rule: String {
        switch self {
        case .weight: "class"
        case .label: "label"
        case .pictures: "pictures"
        case .items: "items"
        case .inputs: "inputs"
        case .short: "short"
        case .links: "links-in-box"
        case .embeds: "embeds"
        case .noText: "no-text"
        }
    }

    var detail: String? {
        switch self {
        case .weight(let weight): "weight \(weight)"
        case .label, .noText: nil
        case .pictures(let count, let paragraphs): "\(count) pictures, \(paragraphs) paragraphs"
        case .items(let count, let paragraphs): "\(count) items, \(paragraphs) paragraphs"
        case .inputs(let count, let paragraphs): "\(count) inputs, \(paragraphs) paragraphs"
        case .short(let length): "\(length) letters"
        case .links(let share): "link share \((share * 100).rounded() / 100)"
        case .embeds(let count): "\(count) embeds"
        }
    }
}
