extension String? {
    /// nil if the text is empty.
    var nonEmpty: String? { self?.isEmpty == true ? nil : self }
}
