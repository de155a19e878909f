import { numberRows, type Page, type PageRequest } from '../http/pagination.ts'
import type { Refusal } from '../parsing/plan/refusal.ts'
import type { FieldType } from '../sources/declaration.ts'
import { createPersonalNames } from './personal-names.ts'
import type { ShownRow, ShownRows } from './shown-rows.ts'
import { readStoredDelivery, type ContentContext } from './stored-delivery.ts'

/** A row as it is kept, and why it does not count. */
export type LoggedRow = ShownRow & { refusal: Refusal | null }

export interface DeliveryRows extends Page<LoggedRow> {
  /** Of the version that the delivery is parsed under. */
  fields: { name: string; type: FieldType; isMasked: boolean }[]
  /** Refused rows behind it are not told; null where all are. */
  refusalsKnownTo: number | null
  broken: ShownRows['broken']
}

/**
 * A page of a delivery's rows as they are kept, with the first 100 refusals in their places. A field that is personal by the
 * delivery's version or by the current one is masked before anything of it leaves the thread that reads it, and so is a value that
 * holds something of such a name.
 *
 * @throws 404 where the company has no such delivery; 400 with field `cursor` or `limit`
 */
export async function showDeliveryRows(
  context: ContentContext,
  companyId: string,
  artifactId: string,
  { refusedOnly = false, ...request }: PageRequest & { refusedOnly?: boolean },
): Promise<DeliveryRows> {
  // The cursor is the last row of the page before.
  const { before: last, limit } = numberRows(request)
  return context.threads.inTurn(companyId, async () => {
    const { row, content } = await readStoredDelivery(context, companyId, artifactId)
    const refusals = (row.refusals ?? []) as Refusal[]
    const personalNames = [...row.fields, ...row.current_fields].flatMap(({ name, personal }) =>
      personal ? [name] : [],
    )
    const personal = createPersonalNames(personalNames)
    const fields = row.fields.map(({ name, type }) => ({ name, type, isMasked: personal.has(name) }))
    const shown = await context.threads.rows({
      ...content,
      request: {
        fields: fields.map(({ name, isMasked }) => ({ name, isMasked })),
        personalNames,
        after: Number(last ?? 0),
        limit,
        ...(refusedOnly ? { only: refusals.map((refusal) => refusal.row) } : {}),
      },
    })
    const byRow = new Map(refusals.map((refusal) => [refusal.row, refusal]))
    return {
      fields,
      items: shown.rows.map((each) => ({ ...each, refusal: byRow.get(each.row) ?? null })),
      refusalsKnownTo: (row.rows_refused ?? 0) > refusals.length ? (refusals.at(-1)?.row ?? 0) : null,
      broken: shown.broken,
      nextCursor: shown.hasMore ? Buffer.from(String(shown.rows.at(-1)!.row)).toString('base64url') : null,
    }
  })
}
