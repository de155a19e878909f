/**
 * SQL for statements of a shard, whose number is their parameter `$shard`: whether it is not this shard, for now, in which
 * deliveries of a company are accepted, or parsed. A mover waits for the statements that began before it wrote what they see
 * here (`engine/moves/fence.ts`).
 *
 * As a subquery it goes by key, even if the table was empty when the statement was planned.
 */
function isElsewhere(column: 'accepts_in' | 'parses_in', companyId: string): string {
  return `(
      select true from company_moves
      where company_moves.company_id = ${companyId} and company_moves.${column} is distinct from $shard::integer
    ) is true`
}

export function isAcceptedElsewhere(companyId: string): string {
  return isElsewhere('accepts_in', companyId)
}

export function isParsedElsewhere(companyId: string): string {
  return isElsewhere('parses_in', companyId)
}
