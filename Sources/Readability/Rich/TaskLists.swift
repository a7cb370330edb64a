import HTML

/// Keeps the check boxes of task lists as text: the search removes all controls.
enum TaskLists {
    static func keepBoxes(_ inputs: [NodeID], in document: inout Document) {
        // A box that the reader of the page can check belongs to a form, such as a filter.
        for input in inputs where document.attribute(input, named: "disabled") != nil {
            guard let box = TaskBox.text(of: input, in: document) else { continue }
            document.replace(input, with: document.makeText(box))
        }
    }
}
