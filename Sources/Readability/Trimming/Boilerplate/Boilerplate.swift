/// Phrases around articles, from the wording of many sites. In order: English, German, French, Spanish, Portuguese,
/// Italian, Dutch, Russian, Indonesian, Turkish, Polish, Swedish and related languages, Japanese, Chinese; then known
/// phrases of others. All in lowercase, with ' for every apostrophe.
enum Boilerplate {}
