// The insertion modes for tables: sections 13.2.6.4.9 to 13.2.6.4.15 of the standard.
extension TreeBuilder {
    private static let textTargets: TagSet = [.table, .tbody, .template, .tfoot, .thead, .tr]
    private static let tableContext: TagSet = [.table, .template, .html]
    private static let bodyContext: TagSet = [.tbody, .tfoot, .thead, .template, .html]
    private static let rowContext: TagSet = [.tr, .template, .html]
    private static let sections: TagSet = [.tbody, .tfoot, .thead]

    mutating func inTable(_ token: Token) -> Outcome {
        switch token {
        case .text, .null:
            guard TreeBuilder.textTargets.contains(current.tag) else { break }
            tableText = []
            originalMode = mode
            mode = .inTableText
            return .again
        case .comment:
            insertComment()
            return .done
        case .doctype: return .done
        case .startTag: if let outcome = startInTable(token) { return outcome }
        case .endTag:
            switch tag {
            case .table:
                guard isInScope(.table, .tableScope) else { return .done }
                pop(through: .table)
                resetMode()
                return .done
            case .body, .caption, .col, .colgroup, .html, .tbody, .td, .tfoot, .th, .thead, .tr: return .done
            case .template: return inHead(token)
            default: break
            }
        case .endOfFile: return inBody(token)
        }
        return fostered(token)
    }

    /// Inserts content that is not allowed in a table before the table.
    private mutating func fostered(_ token: Token) -> Outcome {
        isFosterParenting = true
        let outcome = inBody(token)
        isFosterParenting = false
        return outcome
    }

    /// Returns nil if the tag is not allowed in a table.
    private mutating func startInTable(_ token: Token) -> Outcome? {
        switch tag {
        case .caption:
            clear(to: TreeBuilder.tableContext)
            addMarker()
            insertPart()
            mode = .inCaption
        case .colgroup:
            clear(to: TreeBuilder.tableContext)
            insertPart()
            mode = .inColumnGroup
        case .col:
            clear(to: TreeBuilder.tableContext)
            insertPart(.colgroup)
            mode = .inColumnGroup
            return .again
        case .tbody, .tfoot, .thead:
            clear(to: TreeBuilder.tableContext)
            insertPart()
            mode = .inTableBody
        case .td, .th, .tr:
            clear(to: TreeBuilder.tableContext)
            insertPart(.tbody)
            mode = .inTableBody
            return .again
        case .table:
            guard isInScope(.table, .tableScope) else { return .done }
            pop(through: .table)
            resetMode()
            return .again
        case .style, .script, .template: return inHead(token)
        case .input:
            guard isHiddenInput else { return nil }
            insertVoid()
        case .form:
            guard !hasOpen(.template), form == nil else { return .done }
            form = insertVoid()
        default: return nil
        }
        return .done
    }

    mutating func inTableText(_ token: Token) -> Outcome {
        switch token {
        case .null: return .done
        case .text:
            tableText.append(tokenizer.text)
            return .done
        default: break
        }
        let isFostered = tableText.contains { !isSpace($0) }
        for text in tableText {
            if isFostered {
                isFosterParenting = true
                reconstructFormatting()
                insertText(text)
                isFosterParenting = false
                isFramesetOK = false
            } else {
                insertText(text)
            }
        }
        tableText = []
        mode = originalMode
        return .again
    }

    mutating func inCaption(_ token: Token) -> Outcome {
        switch (token, tag) {
        case (.endTag, .caption):
            closeCaption()
            return .done
        case (.startTag, .caption), (.startTag, .col), (.startTag, .colgroup), (.startTag, .tbody), (.startTag, .td),
            (.startTag, .tfoot), (.startTag, .th), (.startTag, .thead), (.startTag, .tr), (.endTag, .table):
            return closeCaption() ? .again : .done
        case (.endTag, .body), (.endTag, .col), (.endTag, .colgroup), (.endTag, .html), (.endTag, .tbody),
            (.endTag, .td), (.endTag, .tfoot), (.endTag, .th), (.endTag, .thead), (.endTag, .tr):
            return .done
        default: return inBody(token)
        }
    }

    @discardableResult
    private mutating func closeCaption() -> Bool {
        guard isInScope(.caption, .tableScope) else { return false }
        generateImpliedEndTags()
        pop(through: .caption)
        clearToMarker()
        mode = .inTable
        return true
    }

    mutating func inColumnGroup(_ token: Token) -> Outcome {
        // In a template there is no column group to close, so everything but white space is ignored.
        if token == .text, current.tag != .colgroup { insertSpaceOnly() }
        if insertSpaceOrComment(token) { return .done }
        switch token {
        case .startTag:
            switch tag {
            case .html: return inBody(token)
            case .col:
                insertVoid()
                return .done
            case .template: return inHead(token)
            default: break
            }
        case .endTag:
            switch tag {
            case .colgroup:
                if current.tag == .colgroup {
                    pop()
                    mode = .inTable
                }
                return .done
            case .col: return .done
            case .template: return inHead(token)
            default: break
            }
        case .endOfFile: return inBody(token)
        default: break
        }
        guard current.tag == .colgroup else { return .done }
        pop()
        mode = .inTable
        return .again
    }

    mutating func inTableBody(_ token: Token) -> Outcome {
        switch (token, tag) {
        case (.startTag, .tr):
            clear(to: TreeBuilder.bodyContext)
            insertPart()
            mode = .inRow
            return .done
        case (.startTag, .th), (.startTag, .td):
            clear(to: TreeBuilder.bodyContext)
            insertPart(.tr)
            mode = .inRow
            return .again
        case (.endTag, .tbody), (.endTag, .tfoot), (.endTag, .thead):
            guard isInScope(tag, .tableScope) else { return .done }
            clear(to: TreeBuilder.bodyContext)
            pop()
            mode = .inTable
            return .done
        case (.startTag, .caption), (.startTag, .col), (.startTag, .colgroup), (.startTag, .tbody),
            (.startTag, .tfoot), (.startTag, .thead), (.endTag, .table):
            guard isAnyInScope(TreeBuilder.sections, .tableScope) else { return .done }
            clear(to: TreeBuilder.bodyContext)
            pop()
            mode = .inTable
            return .again
        case (.endTag, .body), (.endTag, .caption), (.endTag, .col), (.endTag, .colgroup), (.endTag, .html),
            (.endTag, .td), (.endTag, .th), (.endTag, .tr):
            return .done
        default: return inTable(token)
        }
    }

    mutating func inRow(_ token: Token) -> Outcome {
        switch (token, tag) {
        case (.startTag, .th), (.startTag, .td):
            clear(to: TreeBuilder.rowContext)
            insertPart()
            mode = .inCell
            addMarker()
            return .done
        case (.endTag, .tr):
            closeRow()
            return .done
        case (.startTag, .caption), (.startTag, .col), (.startTag, .colgroup), (.startTag, .tbody),
            (.startTag, .tfoot), (.startTag, .thead), (.startTag, .tr), (.endTag, .table):
            return closeRow() ? .again : .done
        case (.endTag, .tbody), (.endTag, .tfoot), (.endTag, .thead):
            guard isInScope(tag, .tableScope), closeRow() else { return .done }
            return .again
        case (.endTag, .body), (.endTag, .caption), (.endTag, .col), (.endTag, .colgroup), (.endTag, .html),
            (.endTag, .td), (.endTag, .th):
            return .done
        default: return inTable(token)
        }
    }

    @discardableResult
    private mutating func closeRow() -> Bool {
        guard isInScope(.tr, .tableScope) else { return false }
        clear(to: TreeBuilder.rowContext)
        pop()
        mode = .inTableBody
        return true
    }

    mutating func inCell(_ token: Token) -> Outcome {
        switch (token, tag) {
        case (.endTag, .td), (.endTag, .th):
            guard isInScope(tag, .tableScope) else { return .done }
            generateImpliedEndTags()
            pop(through: tag)
            clearToMarker()
            mode = .inRow
            return .done
        case (.startTag, .caption), (.startTag, .col), (.startTag, .colgroup), (.startTag, .tbody), (.startTag, .td),
            (.startTag, .tfoot), (.startTag, .th), (.startTag, .thead), (.startTag, .tr):
            return closeCell() ? .again : .done
        case (.endTag, .body), (.endTag, .caption), (.endTag, .col), (.endTag, .colgroup), (.endTag, .html):
            return .done
        case (.endTag, .table), (.endTag, .tbody), (.endTag, .tfoot), (.endTag, .thead), (.endTag, .tr):
            guard isInScope(tag, .tableScope), closeCell() else { return .done }
            return .again
        default: return inBody(token)
        }
    }

    private mutating func closeCell() -> Bool {
        guard isAnyInScope([.td, .th], .tableScope) else { return false }
        generateImpliedEndTags()
        pop(throughAnyOf: [.td, .th])
        clearToMarker()
        mode = .inRow
        return true
    }
}
