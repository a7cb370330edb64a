-- Searches read the texts of links in their statements. These functions read them, or get other arguments: the links
-- that are known to have all terms in title, tags, notes and highlights.
drop function if exists
    private.short_texts_hold(uuid, text, text, text, uuid[], boolean),
    private.weight_of_words(uuid, text, text, text, uuid[]),
    private.newest_select(private.word_search, private.search_field, timestamptz, uuid, timestamptz),
    private.newest_hits(private.word_search, private.search_field, timestamptz, uuid, integer),
    private.window_of_hits(private.word_search, boolean, text, text, jsonb, jsonb, integer);
