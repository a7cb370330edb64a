-- The statement of a feed reads pictures itself; see Sources/App/Feeds/ListedLinks.swift.

drop function if exists rest.preview_picture(uuid);
