-- Make all finished books of single articles again, so that the files of their covers exist. Books of several articles
-- are left as their users made them.
update private.link_books
    set state = 'pending', run_at = now(), lease = lease + 1, leased_until = null, attempts = 0
    where state = 'done';
