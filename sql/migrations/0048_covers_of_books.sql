-- Books that are there are made again, once, for the files of their covers. Those whose bytes stay the same keep their
-- names. Books of several articles are left as their users made them.
update private.link_books
    set state = 'pending', run_at = now(), lease = lease + 1, leased_until = null, attempts = 0
    where state = 'done';
