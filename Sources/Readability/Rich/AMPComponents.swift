import HTML

/// The components of AMP pages, which their script makes into pictures and players.
///
/// Source: https://amp.dev/documentation/components/
enum AMPComponents {
    /// Players by name: the attribute that tells what is played, and the frame's address before and behind it.
    private static let frames: [String: (attribute: String, before: String, after: String)] = [
        "amp-youtube": ("data-videoid", "https://www.youtube.com/embed/", ""),
        "amp-vimeo": ("data-videoid", "https://player.vimeo.com/video/", ""),
        "amp-dailymotion": ("data-videoid", "https://www.dailymotion.com/embed/video/", ""),
        "amp-twitter": ("data-tweetid", "https://platform.twitter.com/embed/Tweet.html?id=", ""),
        "amp-instagram": ("data-shortcode", "https://www.instagram.com/p/", "/embed/"),
        "amp-facebook": ("data-href", "https://www.facebook.com/plugins/post.php?href=", ""),
    ]

    /// Puts the elements they stand for into their places.
    static func replace(in document: inout Document) {
        guard let html = document.html, ["amp", "⚡"].contains(where: { document.attribute(html, named: $0) != nil }) else { return }
        for component in document.elements(below: html, where: { document.tag($0) == .other }) {
            switch document.name(of: component) {
            case "amp-img", "amp-anim": replace(component, with: document.makeElement(.img), in: &document)
            case "amp-ad", "amp-sticky-ad", "amp-embed": document.detach(component)
            case "amp-iframe":
                // Of a frame that is not shown the picture is, which stood in its place.
                keep(["amp-img"], of: component, in: &document)
                replace(component, with: document.makeElement(.iframe), in: &document)
            // Their sources lie inside.
            case "amp-video": document.rename(component, to: .video)
            case "amp-audio": document.rename(component, to: .audio)
            case let name:
                guard let player = frames[name], let played = document.attribute(component, named: player.attribute).nonEmpty else { continue }
                // A post's words.
                keep(["blockquote"], of: component, in: &document)
                let frame = document.makeElement(.iframe)
                // An address among the values of another.
                let value = played.replacing("%", with: "%25").replacing("&", with: "%26").replacing("#", with: "%23")
                document.set(frame, .src, to: player.before + value + player.after)
                document.replace(component, with: frame)
            }
        }
    }

    /// Puts what is called one of these names and lies in a component before it.
    private static func keep(_ names: Set<String>, of component: NodeID, in document: inout Document) {
        for child in document.childElements(component) where names.contains(document.name(of: child)) { document.insert(child, before: component) }
    }

    /// What lies in a component is shown until it has loaded, or where it cannot.
    private static func replace(_ component: NodeID, with element: NodeID, in document: inout Document) {
        for attribute in document.allAttributes(component) { document.set(element, named: attribute.name, to: attribute.value) }
        document.replace(component, with: element)
    }
}
