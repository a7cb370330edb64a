import Postgres

// Whose job is next.
extension JobQueue {
    /// Selects due jobs so that users take turns. Users with waiting jobs are found by one index lookup for each user
    /// of each priority, and no more jobs of a user are read than may run, however long the queue is. Only the first
    /// due job of a link is taken; without `case` PostgreSQL would search other indexes for all due jobs, once for each
    /// of them.
    ///
    /// A job that places highlights counts as a bulk save once it has been due for half a minute, if its user has no
    /// running job. It would otherwise wait until the bulk saves of all other users are done.
    ///
    /// Jobs of bulk saves wait while an imported file of their user is saved. They would only slow the import down.
    static func inTurns(_ count: Int, _ limits: UserJobLimits) -> SQL {
        """
        with recursive users (priority, user_id) as (
            (select priority, user_id from private.jobs where state = 'pending' order by priority, user_id limit 1)
            union all
            select further.* from users, lateral (
                select priority, user_id from private.jobs
                where state = 'pending' and (priority, user_id) > (users.priority, users.user_id)
                order by priority, user_id
                limit 1
            ) as further
        ), turns as (
            select waiting.id, users.priority, waiting.kind, waiting.run_at,
                busy.jobs + row_number() over (
                    partition by users.priority, users.user_id order by waiting.run_at, waiting.id) as turn
            from users, lateral (
                select count(*) as jobs from private.jobs where state = 'running' and user_id = users.user_id
            ) as busy, lateral (
                select id, kind, run_at from private.jobs
                where state = 'pending' and priority = users.priority and user_id = users.user_id and run_at <= now()
                    and not exists (
                    select from private.jobs other
                    where other.link_id = jobs.link_id and case other.state
                        when 'running' then true
                        when 'pending' then other.run_at <= now()
                            and (other.kind <> 'save', other.run_at, other.id)
                                < (jobs.kind <> 'save', jobs.run_at, jobs.id)
                        end)
                order by run_at, id
                limit greatest(0, least(
                    \(count)::int,
                    (\(array: limits.places.map(String.init))::int[])[users.priority + 1] - busy.jobs,
                    case when users.priority = 1 and exists (
                        select from private.imports i
                        where i.user_id = users.user_id and i.staged_at is not null
                            and (i.state = 'running' or i.state = 'pending' and i.run_at <= now()))
                        then 0 end))
            ) as waiting
        )
        select jobs.id
        from turns join private.jobs on jobs.id = turns.id
        where jobs.state = 'pending'
        order by
            case when turns.kind = 'place' and turns.turn = 1 and turns.run_at < now() - interval '30 seconds' then 1
                else turns.priority end,
            turns.turn, turns.run_at, turns.id
        limit \(count)::int
        for update of jobs skip locked
        """
    }
}
