/** Before and behind all companies. */
export const firstUuid = '00000000-0000-0000-0000-000000000000'
export const lastUuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/**
 * A recursive CTE `turns` that steps from company to company that has rows in a table, beginning behind the company $2 and
 * going around, $3 of them at most; turn 0 is where it begins. Each step is one search in the index that begins with what
 * `orderBy` says, however many rows a company has. `where` is about the row `b`. Companies of the array `leftAlone` come
 * between the others without a turn of their own: they have the number of the one before.
 */
export const companyTurns = (table: string, where: string, orderBy: string, leftAlone = `'{}'`): string => `
  turns (turn, company_id, around) as (
    select 0, $2::uuid, false
    union all
    select t.turn + case when n.company_id = any (${leftAlone}::uuid[]) then 0 else 1 end, n.company_id, n.around
    from turns t
    cross join lateral (
      (
        select b.company_id, t.around
        from ${table} b
        where ${where} and b.company_id > t.company_id
          and b.company_id <= case when t.around then $2::uuid else '${lastUuid}'::uuid end
        order by ${orderBy}
        limit 1
      )
      union all
      (
        select b.company_id, true
        from ${table} b
        where not t.around and ${where} and b.company_id <= $2::uuid
        order by ${orderBy}
        limit 1
      )
      limit 1
    ) n (company_id, around)
    where t.turn < $3::int4
  )`
