// The insertion modes for templates and framesets, and those after the body: sections 13.2.6.4.16 and following.
extension TreeBuilder {
    mutating func inTemplate(_ token: Token) -> Outcome {
        switch token {
        case .text, .null, .comment, .doctype: return inBody(token)
        case .startTag:
            switch tag {
            case .base, .basefont, .bgsound, .link, .meta, .noframes, .script, .style, .template, .title:
                return inHead(token)
            case .caption, .colgroup, .tbody, .tfoot, .thead: return continueTemplate(.inTable)
            case .col: return continueTemplate(.inColumnGroup)
            case .tr: return continueTemplate(.inTableBody)
            case .td, .th: return continueTemplate(.inRow)
            default: return continueTemplate(.inBody)
            }
        case .endTag: return tag == .template ? inHead(token) : .done
        case .endOfFile:
            guard hasOpen(.template) else { return .done }
            pop(through: .template)
            clearToMarker()
            _ = templateModes.popLast()
            resetMode()
            return .again
        }
    }

    private mutating func continueTemplate(_ next: Mode) -> Outcome {
        if !templateModes.isEmpty { templateModes[templateModes.count - 1] = next }
        mode = next
        return .again
    }

    mutating func afterBody(_ token: Token) -> Outcome {
        switch token {
        case .text where isSpace(tokenizer.text): return inBody(token)
        case .comment:
            insertComment(in: open[0].node)
            return .done
        case .doctype: return .done
        case .startTag where tag == .html: return inBody(token)
        case .endTag where tag == .html:
            if context == nil { mode = .afterAfterBody }
            return .done
        case .endOfFile: return .done
        default: break
        }
        mode = .inBody
        return .again
    }

    mutating func afterAfterBody(_ token: Token) -> Outcome {
        switch token {
        case .comment:
            insertComment(in: document.root)
            return .done
        case .doctype: return inBody(token)
        case .text where isSpace(tokenizer.text): return inBody(token)
        case .startTag where tag == .html: return inBody(token)
        case .endOfFile: return .done
        default: break
        }
        mode = .inBody
        return .again
    }

    mutating func inFrameset(_ token: Token) -> Outcome {
        switch token {
        case .text: insertSpaceOnly()
        case .comment: insertComment()
        case .startTag:
            switch tag {
            case .html: return inBody(token)
            case .frameset: insertElement()
            case .frame: insertVoid()
            case .noframes: return inHead(token)
            default: break
            }
        case .endTag where tag == .frameset && open.count > 1:
            pop()
            if context == nil, current.tag != .frameset { mode = .afterFrameset }
        default: break
        }
        return .done
    }

    mutating func afterFrameset(_ token: Token) -> Outcome {
        switch token {
        case .text: insertSpaceOnly()
        case .comment: insertComment()
        case .startTag where tag == .html: return inBody(token)
        case .startTag where tag == .noframes: return inHead(token)
        case .endTag where tag == .html: mode = .afterAfterFrameset
        default: break
        }
        return .done
    }

    mutating func afterAfterFrameset(_ token: Token) -> Outcome {
        switch token {
        case .comment: insertComment(in: document.root)
        case .text:
            insertSpaceOnly()
        case .startTag where tag == .html: return inBody(token)
        case .startTag where tag == .noframes: return inHead(token)
        default: break
        }
        return .done
    }

    /// Inserts the white space of the current text and drops its other characters.
    mutating func insertSpaceOnly() {
        while tokenizer.text.count > 0 {
            if let space = takeLeadingSpace() {
                insertText(space)
            } else {
                tokenizer.text.start += 1
                tokenizer.text.count -= 1
            }
        }
    }
}
