-- Limits for the texts of a link, as the other tables have. A client can set them, repetitive text takes almost no disk
-- space, and a list, an export or a maintenance run would have to handle a body of ten megabytes for each link.
set local role lectern_admin;

update public.links
    set title = left(title, 10000), description = left(description, 1000000), device_saved = left(device_saved, 1000),
        site_name = left(site_name, 1000), lang = left(lang, 100)
    where length(title) > 10000 or length(description) > 1000000 or length(device_saved) > 1000
        or length(site_name) > 1000 or length(lang) > 100;
update public.links set resolved_url = null where length(resolved_url) > 65536;
update public.links set image = null where length(image) > 65536;
alter table public.links
    add constraint links_title_length check (length(title) <= 10000),
    add constraint links_description_length check (length(description) <= 1000000),
    add constraint links_device_saved_length check (length(device_saved) <= 1000),
    add constraint links_site_name_length check (length(site_name) <= 1000),
    add constraint links_lang_length check (length(lang) <= 100),
    add constraint links_resolved_url_length check (length(resolved_url) <= 65536),
    add constraint links_image_length check (length(image) <= 65536);
comment on column public.links.title is 'Title, at most 10,000 characters.';
comment on column public.links.description is 'Description, at most 100,000 characters.';

-- A merge stores what a save by another spelling sent and the link did not take.
update public.link_merges
    set title = left(title, 10000),
        link = link || jsonb_strip_nulls(jsonb_build_object(
            'title', left(link ->> 'title', 10000), 'description', left(link ->> 'description', 1000000),
            'device_saved', left(link ->> 'device_saved', 1000), 'site_name', left(link ->> 'site_name', 1000),
            'lang', left(link ->> 'lang', 100), 'image', left(link ->> 'image', 65536)))
    where greatest(length(title), length(link ->> 'title')) > 10000 or length(link ->> 'description') > 1000000
        or length(link ->> 'device_saved') > 1000 or length(link ->> 'site_name') > 1000
        or length(link ->> 'lang') > 100 or length(link ->> 'image') > 65536;
alter table public.link_merges
    add constraint link_merges_title_length check (length(title) <= 10000),
    add constraint link_merges_link_length check (
        length(link ->> 'title') <= 10000 and length(link ->> 'description') <= 1000000
        and length(link ->> 'device_saved') <= 1000 and length(link ->> 'site_name') <= 1000
        and length(link ->> 'lang') <= 100 and length(link ->> 'image') <= 65536);
