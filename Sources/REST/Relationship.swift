/// How the rows of one table belong to those of another: what an embedding follows.
public struct Relationship: Sendable, Equatable {
    /// The table at the other end.
    public var target: Catalog.Table
    /// Columns that are equal in both.
    public var pairs: [Pair]
    /// The table between, in a many-to-many.
    public var junction: Junction?
    /// At most one row at the other end: an object or null, not an array.
    public var isToOne: Bool
    /// Foreign keys, their columns and tables between, by which a hint may name it.
    var names: Set<String>

    public struct Pair: Sendable, Equatable {
        public var here: String
        public var there: String
    }

    public struct Junction: Sendable, Equatable {
        public var table: String
        /// From the junction's columns (`here`) to the target's.
        public var pairs: [Pair]
    }
}

extension Catalog {
    /// The one relationship a request means.
    ///
    /// - Parameters:
    ///   - name: a table, or a foreign key of ours or its first column, for the row it points at.
    ///   - hint: what is behind `!`.
    func relationship(from table: Table, to name: String, hint: String?) throws(QueryError) -> Relationship {
        var candidates = relationships(from: table).filter { relationship, ownKey in
            relationship.target.name == name || ownKey.map { $0.name == name || $0.columns.first == name } == true
        }.map(\.0)
        if let hint { candidates = candidates.filter { $0.names.contains(hint) } }
        guard let first = candidates.first else { throw .unknownRelation(table: table.name, relation: name) }
        guard candidates.count == 1 else {
            throw .ambiguousRelation(table: table.name, relation: name, hints: candidates.flatMap(\.names).sorted())
        }
        return first
    }

    /// Every relationship of a table, with the foreign key where it is the table's own.
    private func relationships(from table: Table) -> [(Relationship, Table.ForeignKey?)] {
        var found: [(Relationship, Table.ForeignKey?)] = []
        for key in table.foreignKeys {
            guard let target = tables[key.target] else { continue }
            let pairs = zip(key.columns, key.targetColumns).map { Relationship.Pair(here: $0, there: $1) }
            found.append((Relationship(target: target, pairs: pairs, isToOne: true, names: key.names), key))
        }
        // By name, so that the same question always has the same answer.
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

    /// A table whose primary key is made of two foreign keys joins what they point at.
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
                        table: junction.name,
                        pairs: zip(other.columns, other.targetColumns).map { .init(here: $0, there: $1) }),
                    isToOne: false, names: [junction.name]), nil
            )
        }
    }
}

extension Catalog.Table.ForeignKey {
    fileprivate var names: Set<String> { Set([name] + columns.prefix(1)) }
}
