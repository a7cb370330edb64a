-- Books that a request has asked for before they were made. They are made first.
alter table private.link_books add column requested_at timestamptz;
create index link_books_requested on private.link_books (requested_at)
    where state = 'pending' and requested_at is not null;
