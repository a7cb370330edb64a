/// Mixed-case names of SVG and MathML, which HTML parsing converts to lower case and foreign content restores.
///
/// Source: https://html.spec.whatwg.org/multipage/parsing.html#creating-and-inserting-nodes (adjust SVG attributes and
/// others) and #parsing-main-inforeign (the table of element names).
enum ForeignNames {
    /// SVG element names by their lower-case spelling.
    static let elements = table(
        """
        altGlyph altGlyphDef altGlyphItem animateColor animateMotion animateTransform clipPath feBlend feColorMatrix
        feComponentTransfer feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow
        feFlood feFuncA feFuncB feFuncG feFuncR feGaussianBlur feImage feMerge feMergeNode feMorphology feOffset
        fePointLight feSpecularLighting feSpotLight feTile feTurbulence foreignObject glyphRef linearGradient
        radialGradient textPath
        """)

    /// SVG attribute names by their lower-case spelling.
    static let attributes = table(
        """
        attributeName attributeType baseFrequency baseProfile calcMode clipPathUnits diffuseConstant edgeMode
        filterUnits glyphRef gradientTransform gradientUnits kernelMatrix kernelUnitLength keyPoints keySplines keyTimes
        lengthAdjust limitingConeAngle markerHeight markerUnits markerWidth maskContentUnits maskUnits numOctaves
        pathLength patternContentUnits patternTransform patternUnits pointsAtX pointsAtY pointsAtZ preserveAlpha
        preserveAspectRatio primitiveUnits refX refY repeatCount repeatDur requiredExtensions requiredFeatures
        specularConstant specularExponent spreadMethod startOffset stdDeviation stitchTiles surfaceScale systemLanguage
        tableValues targetX targetY textLength viewBox viewTarget xChannelSelector yChannelSelector zoomAndPan
        """)

    static let mathAttributes = ["definitionurl": "definitionURL"]

    private static func table(_ names: String) -> [String: String] {
        Dictionary(names.split(whereSeparator: \.isWhitespace).map { ($0.lowercased(), String($0)) }) { first, _ in
            first
        }
    }
}
