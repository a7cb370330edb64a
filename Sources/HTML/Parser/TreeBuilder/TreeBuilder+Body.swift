// The insertion modes "in body" and "text": sections 13.2.6.4.7 and 13.2.6.4.8 of the standard.
extension TreeBuilder {
    mutating func inBody(_ token: Token) -> Outcome {
        switch token {
        case .text:
            reconstructFormatting()
            insertText()
            if isFramesetOK, !isSpace(tokenizer.text) { isFramesetOK = false }
        case .null, .doctype: break
        case .comment: insertComment()
        case .startTag: return startInBody(token)
        case .endTag: return endInBody(token)
        case .endOfFile: return templateModes.isEmpty ? .done : inTemplate(token)
        }
        return .done
    }

    mutating func inText(_ token: Token) -> Outcome {
        switch token {
        case .text: insertText()
        case .endOfFile:
            pop()
            mode = originalMode
            return .again
        case .endTag:
            pop()
            mode = originalMode
        default: break
        }
        return .done
    }

    // MARK: - Start tags

    private static let headingTags: [Tag] = [.h1, .h2, .h3, .h4, .h5, .h6]
    private static let headings = TagSet(headingTags)

    private mutating func startInBody(_ token: Token) -> Outcome {
        switch tag {
        case .html:
            if !hasOpen(.template) { addAttributes(to: open[0].node) }
        case .base, .basefont, .bgsound, .link, .meta, .noframes, .script, .style, .template, .title:
            return inHead(token)
        case .body:
            guard open.count > 1, open[1].tag == .body, !hasOpen(.template) else { break }
            isFramesetOK = false
            addAttributes(to: open[1].node)
        case .frameset: replaceBodyByFrameset()
        case .address, .article, .aside, .blockquote, .center, .details, .dialog, .dir, .div, .dl, .fieldset,
            .figcaption, .figure, .footer, .header, .hgroup, .main, .menu, .nav, .ol, .p, .search, .section, .summary,
            .ul:
            closeParagraph()
            insertElement()
        case .h1, .h2, .h3, .h4, .h5, .h6:
            closeParagraph()
            if TreeBuilder.headings.contains(current.tag) { pop() }
            insertElement()
        case .pre, .listing:
            closeParagraph()
            insertElement()
            ignoresLineFeed = true
            isFramesetOK = false
        case .form:
            if form != nil, !hasOpen(.template) { break }
            closeParagraph()
            let node = insertElement()
            if !hasOpen(.template) { form = node }
        case .li: openItem(closing: [.li])
        case .dd, .dt: openItem(closing: [.dd, .dt])
        case .plaintext:
            closeParagraph()
            insertElement()
            tokenizer.content = .plaintext
        case .button:
            if isInScope(.button) {
                generateImpliedEndTags()
                pop(through: .button)
            }
            reconstructFormatting()
            insertElement()
            isFramesetOK = false
        case .a:
            if let index = formattingIndex(of: .a), let node = formatting[index].node {
                runAdoptionAgency(for: .a)
                removeFormatting(node)
                if let index = stackIndex(of: node) { removeFromStack(at: index) }
            }
            openFormatting()
        case .b, .big, .code, .em, .font, .i, .s, .small, .strike, .strong, .tt, .u: openFormatting()
        case .nobr:
            reconstructFormatting()
            if isInScope(.nobr) {
                runAdoptionAgency(for: .nobr)
                reconstructFormatting()
            }
            pushFormatting(insertElement())
        case .applet, .marquee, .object:
            reconstructFormatting()
            let node = insertElement()
            if current.node == node { addMarker() }
            isFramesetOK = false
        case .table:
            if !document.isQuirky { closeParagraph() }
            isFramesetOK = false
            guard hasRoomForParts else {
                insertVoid()
                break
            }
            insertPart()
            mode = .inTable
        case .area, .br, .embed, .img, .keygen, .wbr: insertVoidInLine()
        case .input: insertInput()
        case .param, .source, .track: insertVoid()
        case .hr:
            closeParagraph()
            if isInScope(.select) { generateImpliedEndTags() }
            insertVoid()
            isFramesetOK = false
        case .image:
            // The standard treats `image` as `img`.
            tag = .img
            tokenizer.name = Tag.img.rawValue
            insertVoidInLine()
        case .textarea:
            openText(.rcdata)
            ignoresLineFeed = true
            isFramesetOK = false
        case .xmp:
            closeParagraph()
            reconstructFormatting()
            isFramesetOK = false
            openText(.rawText)
        case .iframe:
            isFramesetOK = false
            openText(.rawText)
        case .noembed: openText(.rawText)
        case .select: openSelect()
        case .option, .optgroup: openOption()
        case .rb, .rtc:
            if isInScope(.ruby) { generateImpliedEndTags() }
            insertElement()
        case .rp, .rt:
            if isInScope(.ruby) { generateImpliedEndTags(except: .rtc) }
            insertElement()
        case .math: openForeign(.math)
        case .svg: openForeign(.svg)
        case .caption, .col, .colgroup, .frame, .head, .tbody, .td, .tfoot, .th, .thead, .tr: break
        default:
            reconstructFormatting()
            insertElement()
        }
        return .done
    }

    private mutating func openFormatting() {
        reconstructFormatting()
        pushFormatting(insertElement())
    }

    private mutating func insertVoidInLine() {
        reconstructFormatting()
        insertVoid()
        isFramesetOK = false
    }

    private mutating func openForeign(_ kind: Document.Kind) {
        reconstructFormatting()
        insertForeign(kind)
    }

    private mutating func replaceBodyByFrameset() {
        guard open.count > 1, open[1].tag == .body, isFramesetOK else { return }
        document.detach(open[1].node)
        while open.count > 1 { pop() }
        insertElement()
        mode = .inFrameset
    }

    /// Opens a list item and closes the previous one.
    private mutating func openItem(closing items: TagSet) {
        isFramesetOK = false
        for element in open.reversed() {
            if items.contains(element.tag) {
                generateImpliedEndTags(except: element.tag)
                pop(through: element.tag)
                break
            }
            let isPassed = element.tag == .address || element.tag == .div || element.tag == .p
            if element.traits.contains(.special), !isPassed { break }
        }
        closeParagraph()
        insertElement()
    }

    private var isInSelectContext: Bool { context?.tag == .select }

    private mutating func insertInput() {
        if isInSelectContext { return }
        if isInScope(.select) { pop(through: .select) }
        reconstructFormatting()
        insertVoid()
        if !isHiddenInput { isFramesetOK = false }
    }

    /// Whether the current tag has `type=hidden`.
    var isHiddenInput: Bool {
        for row in tokenizer.attributes[tokenizer.tagAttributes.range] where row.name == AttributeName.type.rawValue {
            return tokenizer.bytes[row.value.range].map(lowercase).elementsEqual("hidden".utf8)
        }
        return false
    }

    private mutating func openSelect() {
        if isInSelectContext { return }
        if isInScope(.select) { return pop(through: .select) }
        reconstructFormatting()
        insertElement()
        isFramesetOK = false
    }

    private mutating func openOption() {
        if isInScope(.select) {
            generateImpliedEndTags(except: tag == .option ? .optgroup : .none)
        } else if current.tag == .option {
            pop()
        }
        reconstructFormatting()
        insertElement()
    }

    // MARK: - End tags

    private mutating func endInBody(_ token: Token) -> Outcome {
        switch tag {
        case .template: return inHead(token)
        case .body, .html:
            guard isInScope(.body) else { break }
            mode = .afterBody
            if tag == .html { return .again }
        case .address, .article, .aside, .blockquote, .button, .center, .details, .dialog, .dir, .div, .dl, .fieldset,
            .figcaption, .figure, .footer, .header, .hgroup, .listing, .main, .menu, .nav, .ol, .pre, .search,
            .section, .select, .summary, .ul:
            guard isInScope(tag) else { break }
            generateImpliedEndTags()
            pop(through: tag)
        case .form: closeForm()
        case .p:
            if !isInScope(.p, .buttonScope) { insertElement(.p) }
            closeParagraph()
        case .li:
            guard isInScope(.li, .listItemScope) else { break }
            generateImpliedEndTags(except: .li)
            pop(through: .li)
        case .dd, .dt:
            guard isInScope(tag) else { break }
            generateImpliedEndTags(except: tag)
            pop(through: tag)
        case .h1, .h2, .h3, .h4, .h5, .h6:
            guard TreeBuilder.headingTags.contains(where: hasOpen), isAnyInScope(TreeBuilder.headings) else { break }
            generateImpliedEndTags()
            pop(throughAnyOf: TreeBuilder.headings)
        case .a, .b, .big, .code, .em, .font, .i, .nobr, .s, .small, .strike, .strong, .tt, .u:
            runAdoptionAgency(for: tag)
        case .applet, .marquee, .object:
            guard isInScope(tag) else { break }
            generateImpliedEndTags()
            pop(through: tag)
            clearToMarker()
        case .br:
            reconstructFormatting()
            insertVoid(.br)
            isFramesetOK = false
        default: closeByAnyOtherEndTag(tokenizer.name)
        }
        return .done
    }

    private mutating func closeForm() {
        if hasOpen(.template) {
            guard isInScope(.form) else { return }
            generateImpliedEndTags()
            return pop(through: .form)
        }
        guard let node = form else { return }
        form = nil
        guard isInScope(node) else { return }
        generateImpliedEndTags()
        if let index = stackIndex(of: node) { removeFromStack(at: index) }
    }

    /// Closes the nearest element with this name, unless a special element lies between.
    mutating func closeByAnyOtherEndTag(_ name: UInt32) {
        guard hasOpen(named: name) else { return }
        for index in open.indices.reversed() {
            let element = open[index]
            if element.name == name, !element.traits.contains(.foreign) {
                generateImpliedEndTags(except: element.tag == .other ? .none : element.tag)
                while open.count > max(index, 1) { pop() }
                return
            }
            if element.traits.contains(.special) { return }
        }
    }
}
