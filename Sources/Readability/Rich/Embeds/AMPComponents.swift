import HTML

/// Replaces the components of AMP pages, which AMP's script would turn into pictures and players.
///
/// Source: https://amp.dev/documentation/components/
enum AMPComponents {
    /// Players by element name: the attribute that identifies the content, and the frame's URL before and after that
    /// value.
    private static let players: [String: (attribute: String, before: String, after: String)] = [
        "amp-youtube": ("data-videoid", "https://www.youtube.com/embed/", ""),
        "amp-vimeo": ("data-videoid", "https://player.vimeo.com/video/", ""),
        "amp-dailymotion": ("data-videoid", "https://www.dailymotion.com/embed/video/", ""),
        "amp-twitter": ("data-tweetid", "https://platform.twitter.com/embed/Tweet.html?id=", ""),
        "amp-instagram": ("data-shortcode", "https://www.instagram.com/p/", "/embed/"),
        "amp-facebook": ("data-href", "https://www.facebook.com/plugins/post.php?href=", ""),
    ]

    /// Replaces each component with the element it represents.
    static func replace(in document: inout Document) {
        guard let html = document.html, ["amp", "⚡"].contains(where: { document.attribute(html, named: $0) != nil })
        else { return }
        for component in document.elements(below: html, where: { document.tag($0) == .other }) {
            switch document.name(of: component) {
            case "amp-img", "amp-anim": replace(component, with: document.makeElement(.img), in: &document)
            case "amp-ad", "amp-sticky-ad", "amp-embed": document.detach(component)
            case "amp-iframe":
                // If the frame is dropped later, its placeholder picture stays.
                moveOut(["amp-img"], of: component, in: &document)
                replace(component, with: document.makeElement(.iframe), in: &document)
            // The `source` elements are children.
            case "amp-video": document.rename(component, to: .video)
            case "amp-audio": document.rename(component, to: .audio)
            case let name:
                guard let player = players[name],
                    let played = document.attribute(component, named: player.attribute).nonEmpty
                else { continue }
                // Keep the text of the post.
                moveOut(["blockquote"], of: component, in: &document)
                let frame = document.makeElement(.iframe)
                // The value is part of another URL's query.
                let value = played.replacing("%", with: "%25").replacing("&", with: "%26").replacing("#", with: "%23")
                document.set(frame, .src, to: player.before + value + player.after)
                document.replace(component, with: frame)
            }
        }
    }

    /// Moves children with one of these names out of the component, before it.
    private static func moveOut(_ names: Set<String>, of component: NodeID, in document: inout Document) {
        for child in document.childElements(component) where names.contains(document.name(of: child)) {
            document.insert(child, before: component)
        }
    }

    /// Replaces a component and drops its children: they are shown only until it has loaded, or if it cannot load.
    private static func replace(_ component: NodeID, with element: NodeID, in document: inout Document) {
        for attribute in document.allAttributes(component) {
            document.set(element, named: attribute.name, to: attribute.value)
        }
        document.replace(component, with: element)
    }
}
