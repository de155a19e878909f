import { defineStatement } from '../../../platform/database/define-statement.ts'
import type { CompanyMoveRow, MovePhase } from './company-move.ts'
import { isAcceptedElsewhere, isParsedElsewhere } from './elsewhere.ts'

const moveColumns = `company_moves.company_id, company_moves.move_id, company_moves.from_shard, company_moves.to_shard,
  company_moves.phase, company_moves.attempt, company_moves.heartbeat_at, company_moves.held_at, company_moves.moved_at`

/** No row if the company has a move already, is in the shard, or is being deleted. */
export const insertMove = defineStatement<
  CompanyMoveRow,
  { companyId: string; moveId: string; to: number; at: Date }
>(
  'companies.insert-move',
  `insert into company_moves (company_id, move_id, from_shard, to_shard, phase, started_at, heartbeat_at)
   select companies.company_id, $moveId::uuid, companies.shard, $to::integer, 'copying', $at::timestamptz,
     $at::timestamptz
   from companies
   where companies.company_id = $companyId::uuid and companies.shard <> $to::integer
     and not exists (
       select from company_deletions
       where company_deletions.company_id = companies.company_id and company_deletions.begun_at is not null
     )
   on conflict (company_id) do nothing
   returning ${moveColumns}`,
)

type Step = { companyId: string; moveId: string; phase: MovePhase; attempt: number }

/** What a process that changes a move takes it to be: of several, one does. */
const isStep = `company_id = $companyId::uuid and move_id = $moveId::uuid and phase = $phase::text
     and attempt = $attempt::integer`

/** No row if the move has taken another step by now. */
export const updatePhase = defineStatement<CompanyMoveRow, Step & { next: MovePhase; at: Date }>(
  'companies.update-move-phase',
  `update company_moves
   set phase = $next::text, heartbeat_at = $at::timestamptz,
     attempt = attempt + case when $next::text = 'held' then 1 else 0 end,
     held_at = case when $next::text = 'held' then $at::timestamptz else held_at end,
     moved_at = case when $next::text = 'moved' then $at::timestamptz end
   where ${isStep}
   returning ${moveColumns}`,
)

export const deleteMove = defineStatement<never, Step>(
  'companies.delete-move',
  `delete from company_moves where ${isStep}`,
)

export const updateHeartbeat = defineStatement<never, { companyId: string; moveId: string; at: Date }>(
  'companies.update-move-heartbeat',
  `update company_moves set heartbeat_at = $at::timestamptz
   where company_id = $companyId::uuid and move_id = $moveId::uuid and phase in ('copying', 'draining')`,
)

export const updateShardOfCompany = defineStatement<never, { companyId: string; shard: number }>(
  'companies.update-shard',
  `update companies set shard = $shard::integer where company_id = $companyId::uuid`,
)

/** Of one company more in a shard (`$added` 1) or one less (-1). */
export const updateCompaniesOfShard = defineStatement<never, { shard: number; added: 1 | -1 }>(
  'companies.update-companies-of-shard',
  `update shards set companies = companies + $added::integer where shard = $shard::integer`,
)

/** Moves that are under way or not cleaned up that are read together. */
const movesMax = 10_000

export const selectMoves = defineStatement<CompanyMoveRow & { orgnr: string }, { companyId: string | null }>(
  'companies.select-moves',
  `select ${moveColumns}, companies.orgnr
   from company_moves join companies on companies.company_id = company_moves.company_id
   where $companyId::uuid is null or company_moves.company_id = $companyId::uuid
   order by company_moves.started_at, company_moves.company_id
   limit ${movesMax}`,
)

/** Where a company accepts deliveries, in null for the moment in no shard; no row if there is no such company. */
export const selectPlace = defineStatement<{ accepts_in: number | null }, { companyId: string }>(
  'companies.select-place',
  `select case when company_moves.company_id is null then companies.shard else company_moves.accepts_in end as accepts_in
   from companies left join company_moves on company_moves.company_id = companies.company_id
   where companies.company_id = $companyId::uuid`,
)

/**
 * Makes the transaction one that a mover waits for (`engine/moves/fence.ts`), before it looks where its company is: it may
 * write only later. Waits for no one.
 */
export const lockSources = defineStatement<never, Record<never, never>>(
  'companies.lock-sources',
  `lock table sources in row share mode`,
)

export const selectElsewhere = defineStatement<
  { accepted_elsewhere: boolean; parsed_elsewhere: boolean },
  { companyId: string; shard: number }
>(
  'companies.select-elsewhere',
  `select ${isAcceptedElsewhere('$companyId::uuid')} as accepted_elsewhere,
     ${isParsedElsewhere('$companyId::uuid')} as parsed_elsewhere`,
)
