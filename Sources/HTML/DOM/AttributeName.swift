/// The attribute names that rules refer to, as small integers. All other names are looked up by spelling.
///
/// A capital letter within a case stands for a dash: `dataSrc` is `data-src`.
public enum AttributeName: UInt32, CaseIterable, Sendable {
    case abbr, align, allow, alt, ariaHidden, ariaLabel, ariaModal, axis, background, bgcolor, border
    case cellpadding, cellspacing, charset, cite, `class`, color, colspan, content, controls
    case dataLecternRich, dataOldSrc, dataSrc, dataSrcset, datatable, datetime, dir, face, frame, headers, height,
        hidden, href, hreflang
    case hspace, httpEquiv, id, itemprop, itemscope, itemtype, kind, label, lang, loading, loop, media, muted, name
    case open, poster, preload, property, rel, reversed, role, rowspan, rules, scope, size, sizes, span, src, srcdoc
    case srclang, srcset, start, style, summary, tabindex, target, title, type, valign, value, vspace, width

    /// The name as written in HTML.
    public var spelling: String { AttributeName.spellings[Int(rawValue)] }

    static let spellings: [String] = allCases.map { name in
        "\(name)".reduce(into: "") { spelling, letter in
            if letter.isUppercase { spelling += "-" }
            spelling += letter.lowercased()
        }
    }
}
