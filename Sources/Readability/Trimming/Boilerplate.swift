/// What stands around articles, in the words of many sites. English first, then German, French, Spanish, Portuguese, Italian,
/// Dutch, Russian, Indonesian, Turkish, Polish, Swedish and its neighbours, Japanese, Chinese; then what is known in others. Small
/// letters; ' for every apostrophe.
enum Boilerplate {}
