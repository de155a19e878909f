import type { PoolClient } from 'pg'
import type { Context } from '../../context.ts'
import { labelCharactersMax } from '../../engine/fields/field-value.ts'
import { isStorableText } from '../../formats/json/is-storable-text.ts'
import { lockCompany } from '../../people/companies/lock-company.ts'
import { requireHere } from '../../people/companies/moves/require-here.ts'
import { requireKept } from '../../people/companies/require-kept.ts'
import { actorMemberId, type Actor } from '../../people/members/actor.ts'
import { lockRole } from '../../people/members/require-role.ts'
import type { Queryable } from '../../platform/database/pool.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import { conflict, invalidArgument } from '../../platform/http/errors/errors.ts'
import { checkDisplayText } from '../../platform/http/requests/check-display-text.ts'
import { recordAuditEvent } from '../audit/record-audit-event.ts'
import { memberAnswer } from '../sources/to-source-answer.ts'
import { deleteEmptyLabelNames, selectLabelNames, upsertLabelNames, type LabelNamesRow } from './queries.ts'

/** Labels of a company with names; a further one is 409. */
export const namedLabelsMax = 50
/** Names of a label; more are 400, field `names`. */
export const labelNamesMax = 500
/** Characters of a name; a longer one is 400. */
export const labelNameCharactersMax = 100

/** What pages show for a value of a label. */
export interface LabelName {
  value: string
  name: string
}

function toAnswer(label: string, row: LabelNamesRow | undefined) {
  const by = row?.saved_by ?? null
  return {
    label,
    revision: row?.revision ?? 0,
    names: Object.entries(row?.names ?? {})
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([value, name]): LabelName => ({ value, name })),
    saved_by: memberAnswer(by === null ? null : { memberId: by, name: row!.saved_by_name }),
    saved_at: row?.saved_at.toISOString() ?? null,
  }
}

export type LabelNames = ReturnType<typeof toAnswer>

/** The names of all labels of a company. */
export async function readLabelNames(on: Queryable, companyId: string): Promise<LabelNames[]> {
  const rows = await selectLabelNames.rows(on, { companyId, limit: namedLabelsMax })
  return rows.map((row) => toAnswer(row.label, row))
}

function isLabelText(text: string): boolean {
  return text !== '' && [...text].length <= labelCharactersMax && isStorableText(text)
}

/** @throws 400 with the field that is wrong */
function check(label: string, names: readonly LabelName[]): Record<string, string> {
  if (!isLabelText(label)) throw invalidArgument('No metric has such a label.', 'label')
  const checked = new Map<string, string>()
  for (const [index, { value, name }] of names.entries()) {
    const field = `names[${index}].value`
    if (!isLabelText(value)) throw invalidArgument('No row has such a value.', field)
    if (checked.has(value)) throw invalidArgument('The value is given twice.', field)
    checked.set(value, checkDisplayText(name, `names[${index}].name`, labelNameCharactersMax))
  }
  return Object.fromEntries(checked)
}

/** @throws 409 for one label too many */
async function requireRoom(client: PoolClient, companyId: string, rows: LabelNamesRow[]): Promise<void> {
  if (rows.length < namedLabelsMax) return
  if (rows.every(({ names }) => Object.keys(names).length > 0))
    throw conflict(`A company has names for ${namedLabelsMax} labels at most.`)
  await deleteEmptyLabelNames.run(client, { companyId })
}

/**
 * Replaces the names of a label's values.
 *
 * @param revision the one that was changed; 0 where there was none
 * @throws 400 with the field that is wrong; 403, 404 as `requireRole`, for developers; 409 as `requireKept`, with the names as
 *   they are now in the details if another member has saved them since, or for one label too many
 */
export async function saveLabelNames(
  context: Pick<Context, 'pool' | 'shard' | 'clock'>,
  actor: Actor,
  { companyId, label }: { companyId: string; label: string },
  { revision, names }: { revision: number; names: readonly LabelName[] },
): Promise<LabelNames> {
  return inTransaction(context.pool, async (client) => {
    await lockCompany(client, companyId)
    const { name } = await lockRole(client, actor, companyId, 'developer')
    await requireHere(client, context, companyId)
    await requireKept(client, companyId)
    const checked = check(label, names)
    const find = { companyId, limit: namedLabelsMax }
    const rows = await selectLabelNames.rows(client, find)
    const before = rows.find((row) => row.label === label)
    if ((before?.revision ?? 0) !== revision) {
      throw conflict('Another member has saved names meanwhile.', 'expected_revision', {
        label_names: toAnswer(label, before),
      })
    }
    if (before === undefined) await requireRoom(client, companyId, rows)
    const atMs = context.clock.now()
    const by = actorMemberId(actor)
    await upsertLabelNames.run(client, {
      companyId,
      label,
      names: JSON.stringify(checked),
      by,
      at: new Date(atMs),
    })
    await recordAuditEvent(client, {
      companyId,
      actor,
      action: 'label_names_saved',
      subject: { kind: 'company', id: companyId, name },
      details: { label, names: names.length },
      atMs,
    })
    const after = await selectLabelNames.rows(client, find)
    return toAnswer(
      label,
      after.find((row) => row.label === label),
    )
  })
}
