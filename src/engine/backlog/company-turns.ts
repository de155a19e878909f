/** The least and the greatest UUID: no company sorts before the one or after the other. */
export const firstUuid = '00000000-0000-0000-0000-000000000000'
export const lastUuid = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/**
 * A recursive CTE `turns` that steps through the companies with rows in a table, starting after the company
 * `$afterCompany` and wrapping around, at most `$companiesMax` of them; turn 0 is the start. Each step is one search in
 * the index that begins with the columns of `orderBy`, however many rows a company has. Companies in the array
 * `leftAlone` appear too, but take no turn: they get the number of the one before.
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
