import { numberRows, type PageRequest } from '../../../platform/http/pagination.ts'
import { refusalReasons, type Refusal } from '../../../engine/parsing/plan/refusal.ts'
import { toTerms } from './list-changed-samples.ts'
import { createPersonalNames } from '../../values/personal-names.ts'
import type { StoredDeliveryRow } from './queries.ts'
import { readStoredDelivery, type ContentContext } from './stored-delivery.ts'

/**
 * A page of a delivery's rows as they are stored, with the first 100 refusals in their places. A field that is personal in the
 * delivery's version or in the current one is masked before anything of it leaves the thread that reads it, and so is a value
 * that contains a member of such a name.
 *
 * @throws 404; 400 with field `cursor` or `limit`
 */
export async function showDeliveryRows(
  context: ContentContext,
  companyId: string,
  artifactId: string,
  { refusedOnly = false, ...page }: PageRequest & { refusedOnly?: boolean },
) {
  // The cursor is the last row of the previous page.
  const { before: last, limit } = numberRows(page)
  return context.threads.inTurn(companyId, async () => {
    const { row, content } = await readStoredDelivery(context, companyId, artifactId)
    const refusals = (row.refusals ?? []) as Refusal[]
    const { fields, masking } = toMasking(row)
    const request = {
      ...masking,
      after: Number(last ?? 0),
      limit,
      ...(refusedOnly ? { only: refusals.map((refusal) => refusal.row) } : {}),
    }
    const shown = await context.threads.run('rows', { ...content, request }, [content.stored.content])
    const byRow = new Map(
      refusals.map(({ row: number, field = null, code, reason }) => [number, { field, code, reason }]),
    )
    return {
      fields,
      rows: shown.rows.map((each) => ({ ...each, refusal: byRow.get(each.row) ?? null })),
      refusals_known_to: (row.rows_refused ?? 0) > refusals.length ? (refusals.at(-1)?.row ?? 0) : null,
      broken: shown.broken,
      next_cursor: shown.hasMore ? Buffer.from(String(shown.rows.at(-1)!.row)).toString('base64url') : null,
    }
  })
}

function toMasking(row: StoredDeliveryRow) {
  const personalNames = [...row.fields, ...row.current_fields].flatMap(({ name, personal }) =>
    personal ? [name] : [],
  )
  const personal = createPersonalNames(personalNames)
  const fields = row.fields.map(({ name, type }) => ({ name, type, personal: personal.has(name) }))
  const masked = fields.map(({ name, personal: isMasked }) => ({ name, isMasked }))
  return { fields, masking: { fields: masked, personalNames } }
}

/**
 * All refused rows of a delivery, by reason and field, each with its first rows as they are stored, masked as above. Found in
 * its content, since only the first refusals are stored.
 *
 * @throws 404
 */
export async function showRefusals(context: ContentContext, companyId: string, artifactId: string) {
  return context.threads.inTurn(companyId, async () => {
    const { row, content } = await readStoredDelivery(context, companyId, artifactId)
    const { fields, masking } = toMasking(row)
    if ((row.rows_refused ?? 0) === 0) return { fields, groups: [] }
    const request = { ...masking, after: 0, limit: Infinity }
    const task = { ...content, terms: toTerms(row), request }
    const { groups, rows } = await context.threads.run('refusals', task, [content.stored.content])
    const byRow = new Map(rows.map((each) => [each.row, each]))
    return {
      fields,
      groups: groups.map(({ code, field, rows: count, examples }) => {
        const refusal = { field, code, reason: refusalReasons[code] }
        return {
          ...refusal,
          rows: count,
          examples: examples.flatMap((number) => {
            const shown = byRow.get(number)
            return shown === undefined ? [] : [{ ...shown, refusal }]
          }),
        }
      }),
    }
  })
}
