-- Placeholder.
alter table public.links add column title_is_text boolean not null default false, add column description_is_text boolean not null default false;
