import type { Company } from '../../people/companies/company.ts'
import type { Role } from '../../people/access/role.ts'
import { conflict, notFound } from '../../platform/http/errors/errors.ts'
import { inTransaction } from '../../platform/database/transaction.ts'
import type { Context } from '../../context.ts'
import type { AttentionMark } from './attention-item.ts'
import { attentionItemsMax, type AttentionContext, type ListAttention } from './list-attention.ts'
import { deleteMark, deleteOtherMarks, selectMarks, upsertMark } from './queries.ts'

/** The marks of a company that still count, by item and version. */
export async function readMarks(
  { readPool }: Pick<Context, 'readPool'>,
  companyId: string,
): Promise<(item: { key: string; version: string }) => AttentionMark | null> {
  const rows = await selectMarks.rows(readPool, { companyId })
  const marks = new Map(rows.map((row) => [row.item, row]))
  return ({ key, version }) => {
    const mark = marks.get(key)
    if (mark?.version !== version) return null
    return { memberId: mark.member_id, name: mark.member_name, at: mark.marked_at }
  }
}

/**
 * Marks an item as done for all members, or opens it again, and deletes the marks of items that are gone. Of two members who
 * mark the same version the first stands.
 *
 * @throws 404 if there is no such item for the role; 409 `conflict` if it has another version by now
 */
export async function markAttention(
  context: AttentionContext & Pick<Context, 'pool'>,
  list: ListAttention,
  company: Pick<Company, 'companyId' | 'timeZone'>,
  member: { memberId: string; role: Role },
  mark: { key: string; version: string; done: boolean },
): Promise<void> {
  const { companyId } = company
  const { items } = await list(context, company, member.role)
  const item = items.find(({ key }) => key === mark.key)
  if (item === undefined) throw notFound()
  if (item.version !== mark.version) throw conflict('Something new has happened to it: look at it again.')
  await inTransaction(context.pool, async (client) => {
    if (!mark.done) await deleteMark.run(client, { companyId, item: mark.key })
    else {
      const at = new Date(context.clock.now())
      const { memberId } = member
      await upsertMark.run(client, { companyId, item: mark.key, version: mark.version, memberId, at })
    }
    // Of readers, others may have items that they do not see.
    if (member.role === 'reader' || items.length >= attentionItemsMax) return
    await deleteOtherMarks.run(client, { companyId, items: items.map(({ key }) => key) })
  })
}
