-- Snippets and the closeness of words use regular expressions only.

drop function if exists
    private.closeness(uuid, private.closeness_patterns),
    private.term_pattern(private.search_term, boolean, boolean),
    private.is_plain(text),
    private.word_place(text, text, boolean, integer, boolean),
    private.place_of_words(text, text[]),
    private.passage(text, integer, text, text[]),
    private.snippet_marks(private.search_term[], boolean),
    private.place_of_pattern(text, text, private.search_marks),
    private.snippet_at(text, integer, text, private.search_marks);

-- What `closeness` looks for: the pattern of each term, and that of all terms side by side.
alter type private.closeness_patterns drop attribute pairs;

-- These functions get other arguments: patterns and tags, which are found once for all texts.
drop function if exists
    private.link_holds(uuid, text, text, boolean),
    private.weight_of_words(uuid, text, text),
    private.holds_words(text, text);
