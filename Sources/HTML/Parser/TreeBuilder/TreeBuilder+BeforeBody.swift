// The insertion modes before the body: sections 13.2.6.4.1 to 13.2.6.4.6 of the standard.
extension TreeBuilder {
    mutating func initial(_ token: Token) -> Outcome {
        switch token {
        case .text:
            _ = takeLeadingSpace()
            if tokenizer.text.count == 0 { return .done }
        case .comment:
            insertComment(in: document.root)
            return .done
        case .doctype:
            document.isQuirky = QuirksMode.applies(to: tokenizer.doctype)
            if tokenizer.keepsComments {
                document.doctype = tokenizer.doctype
                let node = document.addRow(.doctype, name: Tag.none.rawValue, extent: Document.Extent())
                document.append(node, to: document.root)
            }
            mode = .beforeHTML
            return .done
        default: break
        }
        document.isQuirky = true
        mode = .beforeHTML
        return .again
    }

    mutating func beforeHTML(_ token: Token) -> Outcome {
        switch token {
        case .doctype: return .done
        case .comment:
            insertComment(in: document.root)
            return .done
        case .text:
            _ = takeLeadingSpace()
            if tokenizer.text.count == 0 { return .done }
        case .startTag where tag == .html:
            openRoot(tokenizer.tagAttributes)
            mode = .beforeHead
            return .done
        case .endTag where tag != .head && tag != .body && tag != .html && tag != .br: return .done
        default: break
        }
        openRoot(noAttributes)
        mode = .beforeHead
        return .again
    }

    mutating func openRoot(_ attributes: Document.Extent) {
        let node = document.addRow(.html, name: Tag.html.rawValue, extent: attributes)
        document.append(node, to: document.root)
        push(OpenElement(node: node, tag: .html, name: Tag.html.rawValue, traits: .html(.html)))
    }

    mutating func beforeHead(_ token: Token) -> Outcome {
        switch token {
        case .text:
            _ = takeLeadingSpace()
            if tokenizer.text.count == 0 { return .done }
        case .comment:
            insertComment()
            return .done
        case .doctype: return .done
        case .startTag where tag == .html: return inBody(token)
        case .startTag where tag == .head:
            head = insertElement()
            mode = .inHead
            return .done
        case .endTag where tag != .head && tag != .body && tag != .html && tag != .br: return .done
        default: break
        }
        head = insertElement(.head)
        mode = .inHead
        return .again
    }

    mutating func inHead(_ token: Token) -> Outcome {
        if insertSpaceOrComment(token) { return .done }
        switch token {
        case .startTag:
            switch tag {
            case .html: return inBody(token)
            case .base, .basefont, .bgsound, .link, .meta:
                insertVoid()
                return .done
            case .title:
                openText(.rcdata)
                return .done
            case .noframes, .style:
                openText(.rawText)
                return .done
            case .noscript:
                insertElement()
                mode = .inHeadNoscript
                return .done
            case .script:
                openText(.script)
                return .done
            case .template:
                guard hasRoomForParts else {
                    insertVoid()
                    return .done
                }
                insertPart()
                addMarker()
                isFramesetOK = false
                mode = .inTemplate
                templateModes.append(.inTemplate)
                return .done
            case .head: return .done
            default: break
            }
        case .endTag:
            switch tag {
            case .head:
                pop()
                mode = .afterHead
                return .done
            case .template:
                closeTemplate()
                return .done
            case .body, .html, .br: break
            default: return .done
            }
        default: break
        }
        pop()
        mode = .afterHead
        return .again
    }

    mutating func closeTemplate() {
        guard hasOpen(.template) else { return }
        generateAllImpliedEndTags()
        pop(through: .template)
        clearToMarker()
        _ = templateModes.popLast()
        resetMode()
    }

    /// Opens an element whose content is text.
    mutating func openText(_ content: ContentModel) {
        insertPart()
        tokenizer.content = content
        originalMode = mode
        mode = .text
    }

    mutating func inHeadNoscript(_ token: Token) -> Outcome {
        if insertSpaceOrComment(token) { return .done }
        switch token {
        case .startTag:
            switch tag {
            case .html: return inBody(token)
            case .basefont, .bgsound, .link, .meta, .noframes, .style: return inHead(token)
            case .head, .noscript: return .done
            default: break
            }
        case .endTag:
            if tag == .noscript {
                pop()
                mode = .inHead
                return .done
            }
            if tag != .br { return .done }
        default: break
        }
        pop()
        mode = .inHead
        return .again
    }

    mutating func afterHead(_ token: Token) -> Outcome {
        if insertSpaceOrComment(token) { return .done }
        switch token {
        case .startTag:
            switch tag {
            case .html: return inBody(token)
            case .body:
                insertElement()
                isFramesetOK = false
                mode = .inBody
                return .done
            case .frameset:
                insertElement()
                mode = .inFrameset
                return .done
            case .base, .basefont, .bgsound, .link, .meta, .noframes, .script, .style, .template, .title:
                return inHeadAgain(token)
            case .head: return .done
            default: break
            }
        case .endTag:
            switch tag {
            case .template: return inHead(token)
            case .body, .html, .br: break
            default: return .done
            }
        default: break
        }
        insertElement(.body)
        mode = .inBody
        return .again
    }

    /// Puts an element that belongs in the head but follows it into the head.
    private mutating func inHeadAgain(_ token: Token) -> Outcome {
        guard let head else { return .done }
        push(OpenElement(node: head, tag: .head, name: Tag.head.rawValue, traits: .html(.head)))
        let outcome = inHead(token)
        if let index = stackIndex(of: head) { removeFromStack(at: index) }
        return outcome
    }
}
