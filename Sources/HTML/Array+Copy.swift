extension Array {
    /// Appends a copy of some of the array's own elements. (`append(contentsOf: self[range])` would copy the whole array
    /// first, as the slice holds on to it.)
    mutating func appendCopy(of range: Range<Int>) {
        reserveCapacityForGrowth(by: range.count)
        for index in range { append(self[index]) }
    }

    /// Reserves in steps that double, so that many small copies cost no more than one large.
    private mutating func reserveCapacityForGrowth(by more: Int) {
        if count + more > capacity { reserveCapacity(Swift.max(count + more, 2 * capacity)) }
    }
}
