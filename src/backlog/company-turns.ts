/** Before and behind all companies. */
export const firstUuid = '00000000-0000-0000-0000-000000000000'
export const lastUuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/**
 * A recursive CTE `turns` that steps from company to company that has rows in a table, beginning behind the company
 * `$afterCompany` and going around, at most `$companiesMax` of them; turn 0 is where it begins. Each step is one search in
 * the index that begins with what `orderBy` says, however many rows a company has. Companies of the array `leftAlone` come
 * between the others without a turn of their own: they have the number of the one before.
 */
export function companyTurns(table: string, where: string, orderBy: string, leftAlone = `'{}'`): string {
  return `
  turns (turn, company_id, around) as (
    select 0, $afterCompany::uuid, false
    union all
    select turns.turn + case when next_company.company_id = any (${leftAlone}::uuid[]) then 0 else 1 end,
      next_company.company_id, next_company.around
    from turns
    cross join lateral (
      (
        select ${table}.company_id, turns.around
        from ${table}
        where ${where} and ${table}.company_id > turns.company_id
          and ${table}.company_id <= case when turns.around then $afterCompany::uuid else '${lastUuid}'::uuid end
        order by ${orderBy}
        limit 1
      )
      union all
      (
        select ${table}.company_id, true
        from ${table}
        where not turns.around and ${where} and ${table}.company_id <= $afterCompany::uuid
        order by ${orderBy}
        limit 1
      )
      limit 1
    ) next_company (company_id, around)
    where turns.turn < $companiesMax::int4
  )`
}
