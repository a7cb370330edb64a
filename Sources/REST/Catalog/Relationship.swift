/// The relationship of two tables by a foreign key; embeddings follow it.
public struct Relationship: Sendable, Equatable {
    /// The related table.
    public var target: Catalog.Table
    /// The columns that must be equal.
    public var pairs: [Pair]
    /// The junction table of a many-to-many relationship.
    public var junction: Junction?
    /// Whether a row has at most one related row: the response has an object or null instead of an array.
    public var isToOne: Bool
    /// The names that a hint may use: the foreign key, its first column, or the junction table.
    var names: Set<String>

    public struct Pair: Sendable, Equatable {
        public var here: String
        public var there: String
    }

    public struct Junction: Sendable, Equatable {
        public var table: Catalog.Table
        /// The columns of the junction (`here`) and of the target (`there`).
        public var pairs: [Pair]
    }
}

extension Catalog {
    /// The relationship that an embedding names.
    ///
    /// A foreign key of a table to itself makes two relationships. As in PostgREST, the name of the table means the
    /// referencing rows; the referenced row is named by the foreign key or its first column.
    ///
    /// - Parameters:
    ///   - name: a related table, or a foreign key of `table` or its first column.
    ///   - hint: the text after `!`.
    func relationship(from table: Table, to name: String, hint: String?) throws(QueryError) -> Relationship {
        var candidates = relationships(from: table).filter { relationship, ownKey in
            relationship.target.name == name && !(ownKey != nil && name == table.name)
                || ownKey.map { $0.name == name || $0.columns.first == name } == true
        }.map(\.0)
        if let hint { candidates = candidates.filter { $0.names.contains(hint) } }
        guard let first = candidates.first else { throw .unknownRelation(table: table.name, relation: name) }
        guard candidates.count == 1 else {
            throw .ambiguousRelation(table: table.name, relation: name, hints: candidates.flatMap(\.names).sorted())
        }
        return first
    }

    /// All relationships of a table. The foreign key is nil when another table has it.
    private func relationships(from table: Table) -> [(Relationship, Table.ForeignKey?)] {
        var found: [(Relationship, Table.ForeignKey?)] = []
        for key in table.foreignKeys {
            guard let target = tables[key.target] else { continue }
            let pairs = zip(key.columns, key.targetColumns).map { Relationship.Pair(here: $0, there: $1) }
            found.append((Relationship(target: target, pairs: pairs, isToOne: true, names: key.names), key))
        }
        // Sorted, because the order of a dictionary is random.
        for other in tables.values.sorted(by: { $0.name < $1.name }) {
            for key in other.foreignKeys where key.target == table.name {
                let pairs = zip(key.targetColumns, key.columns).map { Relationship.Pair(here: $0, there: $1) }
                let isToOne = other.uniqueKeys.contains { Set($0).isSubset(of: key.columns) }
                found.append((Relationship(target: other, pairs: pairs, isToOne: isToOne, names: key.names), nil))
                found += throughJunction(other, from: key)
            }
        }
        return found
    }

    /// The many-to-many relationships through a table whose primary key consists of two foreign keys.
    private func throughJunction(_ junction: Table, from key: Table.ForeignKey) -> [(Relationship, Table.ForeignKey?)] {
        junction.foreignKeys.compactMap { other in
            let isJunction =
                other != key && !junction.primaryKey.isEmpty
                && Set(junction.primaryKey).isSubset(of: key.columns + other.columns)
                && !Set(junction.primaryKey).isSubset(of: key.columns)
                && !Set(junction.primaryKey).isSubset(of: other.columns)
            guard isJunction, let target = tables[other.target] else { return nil }
            return (
                Relationship(
                    target: target, pairs: zip(key.targetColumns, key.columns).map { .init(here: $0, there: $1) },
                    junction: .init(
                        table: junction,
                        pairs: zip(other.columns, other.targetColumns).map { .init(here: $0, there: $1) }),
                    isToOne: false, names: [junction.name]), nil
            )
        }
    }
}

extension Catalog.Table.ForeignKey {
    fileprivate var names: Set<String> { Set([name] + columns.prefix(1)) }
}
