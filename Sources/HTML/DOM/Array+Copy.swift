extension Array {
    /// Appends a copy of some of the array's own elements. (`append(contentsOf: self[range])` would first copy the
    /// whole array, because the slice retains its buffer.)
    mutating func appendCopy(of range: Range<Int>) {
        reserveCapacityForGrowth(by: range.count)
        for index in range { append(self[index]) }
    }

    /// Reserves capacity in doubling steps, so that many small copies cost no more than one large copy.
    private mutating func reserveCapacityForGrowth(by more: Int) {
        if count + more > capacity { reserveCapacity(Swift.max(count + more, 2 * capacity)) }
    }
}
