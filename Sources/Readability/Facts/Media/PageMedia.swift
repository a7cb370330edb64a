import HTML

/// The audio or video of a page, from its metadata and its players.
struct PageMedia {
    private(set) var enclosure: Enclosure?
    /// `video`, `audio` or nil.
    private(set) var player: PageKind?

    init(_ sources: FactElements, in document: Document, linked: LinkedArticle?, addresses: AddressResolver) {
        let metas = sources.metas
        let declared = linked?.medium
        let duration = Enclosure.seconds(declared?.duration) ?? Enclosure.seconds(metas[.duration])
        func enclosure(_ url: String?, _ type: String?, isMedium: Bool = false) -> Enclosure? {
            Enclosure(url: addresses.absolute(url), type: type, isMedium: isMedium, duration: duration)
        }
        func element(_ node: NodeID) -> Enclosure? {
            enclosure(
                document.shortValue(node, .src, maxBytes: 4_096), document.shortValue(node, .type, maxBytes: 100),
                isMedium: document.tag(node) != .source)
        }
        let players = sources.media.filter { document.tag($0) != .source || isOfPlayer($0, document) }
        self.enclosure =
            enclosure(declared?.url, declared?.type, isMedium: true)
            ?? enclosure(metas[.audio], metas[.audioType], isMedium: true)
            ?? enclosure(metas[.stream], metas[.streamType], isMedium: true)
            ?? enclosure(metas[.video], metas[.videoType])
            ?? sources.links.lazy.filter { document.hasWord("enclosure", $0, .rel) }
            .compactMap {
                enclosure(
                    document.shortValue($0, .href, maxBytes: 4_096), document.shortValue($0, .type, maxBytes: 100))
            }.first
            ?? players.lazy.compactMap(element).first

        if let declared {
            player = declared.isVideo ? .video : .audio
        } else if let type = self.enclosure?.type {
            player = type.hasPrefix("audio/") || type == "application/ogg" ? .audio : .video
        } else if metas[.card]?.lowercased() == "player" || metas[.video] != nil {
            player = .video
        } else if metas[.audio] != nil {
            player = .audio
        }
    }
}

/// Whether a `source` belongs to a player and not to a `picture`.
private func isOfPlayer(_ source: NodeID, _ document: Document) -> Bool {
    document.parent(source).map { [.audio, .video].contains(document.tag($0)) } ?? false
}
