-- Row-level security: who sees and writes which rows.
--
-- A policy compares the row's user_id with `(select auth.uid())`; the subselect makes PostgreSQL evaluate it once per
-- statement. Row-level security is enabled and forced on the tables in the migrations, so that the owner is bound too.
--
-- own_*: users see and write their own rows. The jobs process acts as job_worker with the claims of the link's owner
-- and is bound by the same rule.
--
-- as_its_caller: `security definer` functions run as lectern_owner. For a user they reach that user's rows; for a
-- caller that sees all rows anyway they reach all rows. The setting `role` holds the role that the transaction took
-- on; such a function does not change it.

drop policy if exists own_links on public.links;
create policy own_links on public.links for all to authenticated, job_worker
    using (user_id = (select auth.uid()))
    with check (user_id = (select auth.uid()));
drop policy if exists as_its_caller on public.links;
create policy as_its_caller on public.links for select to lectern_owner
    using (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'));
-- The picture functions that run as the owner lock their caller's links, which takes the right to update them.
drop policy if exists locked_by_its_caller on public.links;
create policy locked_by_its_caller on public.links for update to lectern_owner
    using (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'))
    with check (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'));

drop policy if exists own_articles on public.articles;
create policy own_articles on public.articles for all to authenticated, job_worker
    using (user_id = (select auth.uid()))
    with check (user_id = (select auth.uid()));
drop policy if exists as_its_caller on public.articles;
create policy as_its_caller on public.articles for insert to lectern_owner
    with check (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'));
-- The trigger that deletes the article of a link whose address has changed runs as the owner and needs to see the
-- articles of the user it acts for.
drop policy if exists forgotten_articles on public.articles;
create policy forgotten_articles on public.articles for all to lectern_owner
    using (user_id = (select auth.uid()));

drop policy if exists own_tags on public.tags;
create policy own_tags on public.tags for all to authenticated, job_worker
    using (user_id = (select auth.uid()))
    with check (user_id = (select auth.uid()));

drop policy if exists own_link_tags on public.link_tags;
create policy own_link_tags on public.link_tags for all to authenticated, job_worker
    using (user_id = (select auth.uid()))
    with check (user_id = (select auth.uid()));

-- The trigger that has the books of a renamed tag made again runs as the owner.
drop policy if exists as_its_caller on public.link_tags;
create policy as_its_caller on public.link_tags for select to lectern_owner
    using (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'));

drop policy if exists own_highlights on public.highlights;
create policy own_highlights on public.highlights for all to authenticated, job_worker
    using (user_id = (select auth.uid()))
    with check (user_id = (select auth.uid()));

drop policy if exists own_bookmarks on public.bookmarks;
create policy own_bookmarks on public.bookmarks for all to authenticated, job_worker
    using (user_id = (select auth.uid()))
    with check (user_id = (select auth.uid()));

drop policy if exists own_notes on public.notes;
create policy own_notes on public.notes for all to authenticated, job_worker
    using (user_id = (select auth.uid()))
    with check (user_id = (select auth.uid()));

drop policy if exists own_collections on public.collections;
create policy own_collections on public.collections for all to authenticated, job_worker
    using (user_id = (select auth.uid()))
    with check (user_id = (select auth.uid()));

drop policy if exists own_collection_links on public.collection_links;
create policy own_collection_links on public.collection_links for all to authenticated, job_worker
    using (user_id = (select auth.uid()))
    with check (user_id = (select auth.uid()));

drop policy if exists own_reading_progress on public.reading_progress;
create policy own_reading_progress on public.reading_progress for all to authenticated, job_worker
    using (user_id = (select auth.uid()))
    with check (user_id = (select auth.uid()));

drop policy if exists own_rules on public.rules;
create policy own_rules on public.rules for all to authenticated, job_worker
    using (user_id = (select auth.uid()))
    with check (user_id = (select auth.uid()));
drop policy if exists as_its_caller on public.rules;
create policy as_its_caller on public.rules for all to lectern_owner
    using (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'))
    with check (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'));
drop policy if exists as_its_caller on private.rule_trees;
create policy as_its_caller on private.rule_trees for all to lectern_owner
    using (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'))
    with check (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'));
drop policy if exists as_its_caller on private.collection_trees;
create policy as_its_caller on private.collection_trees for all to lectern_owner
    using (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'))
    with check (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'));
drop policy if exists as_its_caller on private.ruled_links;
create policy as_its_caller on private.ruled_links for all to lectern_owner
    using (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'))
    with check (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'));

drop policy if exists own_user_settings on public.user_settings;
create policy own_user_settings on public.user_settings for all to authenticated, job_worker
    using (user_id = (select auth.uid()))
    with check (user_id = (select auth.uid()));

drop policy if exists as_its_caller on public.user_settings;
create policy as_its_caller on public.user_settings for select to lectern_owner
    using (user_id = (select auth.uid()));

drop policy if exists own_trash on public.trash;
create policy own_trash on public.trash for all to authenticated, job_worker
    using (user_id = (select auth.uid()))
    with check (user_id = (select auth.uid()));
drop policy if exists as_its_caller on public.trash;
create policy as_its_caller on public.trash for all to lectern_owner
    using (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'))
    with check (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'));

drop policy if exists own_link_aliases on public.link_aliases;
create policy own_link_aliases on public.link_aliases for all to authenticated, job_worker
    using (user_id = (select auth.uid()))
    with check (user_id = (select auth.uid()));
drop policy if exists as_its_caller on public.link_aliases;
create policy as_its_caller on public.link_aliases for all to lectern_owner
    using (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'))
    with check (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'));

drop policy if exists own_link_merges on public.link_merges;
create policy own_link_merges on public.link_merges for all to authenticated, job_worker
    using (user_id = (select auth.uid()))
    with check (user_id = (select auth.uid()));
drop policy if exists as_its_caller on public.link_merges;
create policy as_its_caller on public.link_merges for select to lectern_owner
    using (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'));

drop policy if exists own_rows on public.pictures;
create policy own_rows on public.pictures for all to authenticated, job_worker
    using (user_id = (select auth.uid()))
    with check (user_id = (select auth.uid()));
drop policy if exists as_its_caller on public.pictures;
create policy as_its_caller on public.pictures for all to lectern_owner
    using (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'))
    with check (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'));

drop policy if exists own_rows on public.link_pictures;
create policy own_rows on public.link_pictures for all to authenticated, job_worker
    using (user_id = (select auth.uid()))
    with check (user_id = (select auth.uid()));
drop policy if exists as_its_caller on public.link_pictures;
create policy as_its_caller on public.link_pictures for all to lectern_owner
    using (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'))
    with check (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'));

drop policy if exists own_rows on private.kept_pictures;
create policy own_rows on private.kept_pictures for all to authenticated, job_worker
    using (user_id = (select auth.uid()))
    with check (user_id = (select auth.uid()));
drop policy if exists as_its_caller on private.kept_pictures;
create policy as_its_caller on private.kept_pictures for all to lectern_owner
    using (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'))
    with check (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'));

drop policy if exists own_pages on private.pages;
create policy own_pages on private.pages for select to job_worker
    using (user_id = (select auth.uid()));
drop policy if exists as_its_caller on private.pages;
create policy as_its_caller on private.pages for all to lectern_owner
    using (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'))
    with check (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'));
drop policy if exists dropped_pages on private.pages;
create policy dropped_pages on private.pages for delete to job_worker
    using (user_id = (select auth.uid()));
drop policy if exists read_pages on private.pages;
create policy read_pages on private.pages for update to job_worker
    using (user_id = (select auth.uid()))
    with check (user_id = (select auth.uid()));

drop policy if exists own_sources on private.sources;
create policy own_sources on private.sources for all to job_worker
    using (user_id = (select auth.uid()))
    with check (user_id = (select auth.uid()));
drop policy if exists as_its_caller on private.sources;
create policy as_its_caller on private.sources for all to lectern_owner
    using (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'))
    with check (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'));

drop policy if exists as_its_caller on private.former_articles;
create policy as_its_caller on private.former_articles for all to lectern_owner
    using (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'))
    with check (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'));
drop policy if exists as_its_caller on private.page_copies;
create policy as_its_caller on private.page_copies for all to lectern_owner
    using (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'))
    with check (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'));
drop policy if exists as_its_caller on private.article_reports;
create policy as_its_caller on private.article_reports for all to lectern_owner
    using (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'))
    with check (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'));

drop policy if exists own_shares on private.shares;
create policy own_shares on private.shares for select to authenticated
    using (user_id = (select auth.uid()));
drop policy if exists as_its_caller on private.shares;
create policy as_its_caller on private.shares for all to lectern_owner
    using (user_id = (select auth.uid()))
    with check (user_id = (select auth.uid()));

drop policy if exists own_webhooks on private.webhooks;
create policy own_webhooks on private.webhooks for all to authenticated
    using (user_id = (select auth.uid()))
    with check (false);
-- The triggers that write into the outbox run as the owner.
drop policy if exists as_its_caller on private.webhooks;
create policy as_its_caller on private.webhooks for all to lectern_owner
    using (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'))
    with check (user_id = (select auth.uid()));
drop policy if exists own_webhook_deliveries on private.webhook_deliveries;
create policy own_webhook_deliveries on private.webhook_deliveries for select to authenticated
    using (user_id = (select auth.uid()));
drop policy if exists as_its_caller on private.webhook_deliveries;
create policy as_its_caller on private.webhook_deliveries for all to lectern_owner
    using (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'))
    with check (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'));

drop policy if exists own_feeds on private.feeds;
create policy own_feeds on private.feeds for all to authenticated
    using (user_id = (select auth.uid()))
    with check (user_id = (select auth.uid()));
drop policy if exists as_its_caller on private.feeds;
create policy as_its_caller on private.feeds for all to lectern_owner
    using (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'))
    with check (user_id = (select auth.uid()));
drop policy if exists as_its_caller on private.feed_entries;
create policy as_its_caller on private.feed_entries for select to lectern_owner
    using (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'));

-- The trigger that has the Markdown of an article made runs as the owner.
drop policy if exists own_markdown_files on private.markdown_files;
create policy own_markdown_files on private.markdown_files for all to job_worker
    using (user_id = (select auth.uid()))
    with check (user_id = (select auth.uid()));
drop policy if exists as_its_caller on private.markdown_files;
create policy as_its_caller on private.markdown_files for all to lectern_owner
    using (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'))
    with check (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'));
drop policy if exists as_its_caller on private.file_names;
create policy as_its_caller on private.file_names for all to lectern_owner
    using (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'))
    with check (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'));

drop policy if exists own_page_checks on private.page_checks;
create policy own_page_checks on private.page_checks for all to authenticated, job_worker
    using (user_id = (select auth.uid()))
    with check (user_id = (select auth.uid()));
drop policy if exists as_its_caller on private.page_checks;
create policy as_its_caller on private.page_checks for select to lectern_owner
    using (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'));

-- The functions of the queue run as the owner. They may look at the whole queue, to see whether it is empty and to
-- report to admins, and they write what belongs to their caller.
drop policy if exists seen_by_functions on private.jobs;
create policy seen_by_functions on private.jobs for select to lectern_owner
    using (true);
drop policy if exists as_its_caller on private.jobs;
create policy as_its_caller on private.jobs for all to lectern_owner
    using (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'))
    with check (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'));
drop policy if exists all_jobs on private.jobs;
create policy all_jobs on private.jobs for all to lectern_jobs, lectern_metrics
    using (true)
    with check (true);
drop policy if exists own_jobs on private.jobs;
create policy own_jobs on private.jobs for select to authenticated
    using (user_id = (select auth.uid()));

-- Deleting an account deletes its finished jobs; see private.delete_done_jobs.
drop policy if exists as_its_caller on private.done_jobs;
create policy as_its_caller on private.done_jobs for all to lectern_owner
    using (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role', 'auth_service'))
    with check (false);
drop policy if exists all_done_jobs on private.done_jobs;
create policy all_done_jobs on private.done_jobs for all to lectern_jobs
    using (true)
    with check (true);
drop policy if exists own_done_jobs on private.done_jobs;
create policy own_done_jobs on private.done_jobs for select to authenticated, job_worker
    using (user_id = (select auth.uid()));

drop policy if exists as_its_caller on private.batches;
create policy as_its_caller on private.batches for all to lectern_owner
    using (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'))
    with check (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'));
drop policy if exists own_batches on private.batches;
create policy own_batches on private.batches for select to authenticated
    using (user_id = (select auth.uid()));

drop policy if exists own_made_books on private.made_books;
create policy own_made_books on private.made_books for all to authenticated
    using (user_id = (select auth.uid()))
    with check (false);
drop policy if exists as_its_caller on private.made_books;
create policy as_its_caller on private.made_books for all to lectern_owner
    using (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'))
    with check (user_id = (select auth.uid()));
drop policy if exists all_made_books on private.made_books;
create policy all_made_books on private.made_books for all to lectern_jobs
    using (true)
    with check (true);

drop policy if exists as_its_caller on private.daily_counts;
create policy as_its_caller on private.daily_counts for all to lectern_owner
    using (user_id = (select auth.uid()))
    with check (user_id = (select auth.uid()));

drop policy if exists own_ereader_mails on private.ereader_mails;
create policy own_ereader_mails on private.ereader_mails for select to authenticated
    using (user_id = (select auth.uid()));
-- send_to_ereader writes for its caller. The trigger that tells what became of a mail runs as the owner, too, whoever
-- ends the mail.
drop policy if exists written_by_functions on private.ereader_mails;
create policy written_by_functions on private.ereader_mails for all to lectern_owner
    using (true)
    with check (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role', 'auth_service'));
drop policy if exists all_ereader_mails on private.ereader_mails;
create policy all_ereader_mails on private.ereader_mails for all to lectern_jobs
    using (true)
    with check (true);

drop policy if exists as_its_caller on private.imports;
create policy as_its_caller on private.imports for all to lectern_owner
    using (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'))
    with check (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'));
drop policy if exists all_imports on private.imports;
create policy all_imports on private.imports for all to lectern_jobs
    using (true)
    with check (true);
drop policy if exists own_imports on private.imports;
create policy own_imports on private.imports for select to authenticated
    using (user_id = (select auth.uid()));

drop policy if exists own_import_rejects on private.import_rejects;
create policy own_import_rejects on private.import_rejects for select to authenticated
    using (user_id = (select auth.uid()));

drop policy if exists own_integer_ids on rest.integer_ids;
create policy own_integer_ids on rest.integer_ids for select to authenticated
    using (user_id = (select auth.uid()));
-- The triggers that number rows run as the owner, whoever writes them.
drop policy if exists written_by_triggers on rest.integer_ids;
create policy written_by_triggers on rest.integer_ids for all to lectern_owner
    using (true)
    with check (true);

drop policy if exists own_annotation_ranges on rest.annotation_ranges;
create policy own_annotation_ranges on rest.annotation_ranges for all to authenticated
    using (user_id = (select auth.uid()))
    with check (user_id = (select auth.uid()));

drop policy if exists own_documents on private.documents;
create policy own_documents on private.documents for select to authenticated
    using (user_id = (select auth.uid()));
drop policy if exists as_its_caller on private.documents;
create policy as_its_caller on private.documents for select to lectern_owner
    using (user_id = (select auth.uid()) or current_setting('role') in ('none', 'service_role'));

drop policy if exists own_changes on rest.changes;
create policy own_changes on rest.changes for select to authenticated
    using (user_id = (select auth.uid()));
-- The trigger that counts changes runs as the owner.
drop policy if exists counting on rest.changes;
create policy counting on rest.changes for all to lectern_owner
    using (true)
    with check (true);

-- The triggers that log changes run as the owner, and rpc/changes reads its caller's lines by a function of the owner.
drop policy if exists written_by_triggers on private.change_log;
create policy written_by_triggers on private.change_log for insert to lectern_owner
    with check (true);
drop policy if exists of_its_caller on private.change_log;
create policy of_its_caller on private.change_log for select to lectern_owner
    using (user_id = (select auth.uid()));
drop policy if exists of_its_caller on private.last_changes;
create policy of_its_caller on private.last_changes for select to lectern_owner
    using (user_id = (select auth.uid()));
-- Marks say nothing about users.
drop policy if exists seen_by_functions on private.change_marks;
create policy seen_by_functions on private.change_marks for select to lectern_owner
    using (true);

-- Changes that can be undone: only through the functions in link_changes.sql.
drop policy if exists as_its_caller on private.link_changes;
create policy as_its_caller on private.link_changes for all to lectern_owner
    using (user_id = (select auth.uid()))
    with check (user_id = (select auth.uid()));
drop policy if exists as_its_caller on private.link_change_steps;
create policy as_its_caller on private.link_change_steps for all to lectern_owner
    using (user_id = (select auth.uid()))
    with check (user_id = (select auth.uid()));

-- The functions that search run as lectern_search. They read what is searched, and name the user in every statement: a
-- policy that named the user would keep PostgreSQL from using the index, because the operators of full text search are
-- not leakproof.
do $$
declare
    searched text;
begin
    foreach searched in array array['public.links', 'public.articles', 'public.tags', 'public.link_tags',
        'public.highlights', 'public.notes', 'public.collections', 'public.collection_links', 'private.page_checks',
        'private.jobs', 'private.rule_trees', 'private.collection_trees']
    loop
        execute format('drop policy if exists read_by_search on %s', searched);
        execute format('create policy read_by_search on %s for select to lectern_search using (true)', searched);
    end loop;
    foreach searched in array array['private.search_owners', 'private.search_parts', 'private.search_tags'] loop
        execute format('drop policy if exists written_by_search on %s', searched);
        execute format('create policy written_by_search on %s for all to lectern_search using (true) with check (true)',
            searched);
    end loop;
end
$$;
