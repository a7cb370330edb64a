-- The scope `feed` of personal API tokens, and new addresses that wait for their confirmation.

alter table auth.api_tokens drop constraint api_tokens_scope_check;
alter table auth.api_tokens add constraint api_tokens_scope_check check (scope in ('read', 'save', 'full', 'feed'));

alter table auth.one_time_tokens drop constraint one_time_tokens_kind_check;
alter table auth.one_time_tokens add constraint one_time_tokens_kind_check
    check (kind in ('recovery', 'invite', 'magiclink', 'signup', 'email_change'));
-- The address that a link of the kind `email_change` confirms.
alter table auth.one_time_tokens add column new_email text check (length(new_email) between 3 and 254);
alter table auth.one_time_tokens add constraint one_time_tokens_address_of_kind
    check ((kind = 'email_change') = (new_email is not null));

-- The schema files create these functions again with other parameters.
drop function if exists
    auth.auth_claims(bytea, text[], text),
    auth.open_session_by_link(uuid, text, text, text, bytea),
    auth.token_claims(bytea, text[], text);
-- The workers' login looked up API tokens itself.
revoke usage on schema auth from authenticator;
