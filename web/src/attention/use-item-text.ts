import { useTranslation } from 'react-i18next'
import type { AttentionItem } from '../company/attention.ts'
import { may, useCompany } from '../company/company.ts'
import { useFormat } from '../company/use-format.ts'
import { useLinks } from '../company/use-links.ts'
import { isolate } from '../language/isolate.ts'
import type { en } from '../language/en/attention.ts'

type ShownKind = keyof (typeof en)['todo']

/** What an item says, what to do about it, and where. */
export function useItemText() {
  const { t } = useTranslation('attention')
  const format = useFormat()
  const links = useLinks()
  const { role } = useCompany()
  const isDeveloper = may(role, 'developer')

  const toSentence = (item: AttentionItem, now: number): string => {
    const { kind, source, connection, ends_at: endsAt, count } = item
    const name = isolate((source ?? connection)?.name ?? '')
    const number = format.count(count ?? 0)
    switch (kind) {
      case 'source_late':
        return t('item.source_late', { name })
      case 'period_corrected':
        return t('item.period_corrected', { name, period: format.period(item.period_start!, 'month') })
      case 'rows_refused':
        return count === null
          ? t('item.unreadable', { name })
          : t('item.rows_refused', { name, count, number })
      case 'paused_refusing':
        return t('item.paused_refusing', { name, count: count ?? 0, number })
      case 'connection_ends': {
        const isOver = Date.parse(endsAt!) <= now
        return t(isOver ? 'item.connection_ended' : 'item.connection_ends', {
          name,
          day: format.instantDay(endsAt!),
        })
      }
      case 'credential_ends':
        return t('item.credential_ends', { name, when: format.instant(endsAt!) })
      case 'secret_ends':
        return t('item.secret_ends', { name, when: format.instant(endsAt!) })
      case 'limit_near': {
        const limit = t(`limits.${item.limit as keyof (typeof en)['limits']}`)
        return t('item.limit_near', { limit, percent: format.percent(String(count)) })
      }
      default:
        return t('item.parsing_late', { count: count ?? 0, number })
    }
  }

  const toAdvice = ({ kind }: AttentionItem): string =>
    t(kind === 'source_late' && !isDeveloper ? 'todo.source_lateReader' : `todo.${kind satisfies ShownKind}`)

  /** Null where the member may open nothing about it. */
  const toLink = ({ kind, source, connection, metric, artifact_id: artifactId }: AttentionItem) => {
    if (kind === 'period_corrected')
      return {
        ...links.report(source!.source_id, metric!),
        search: { grain: 'month' },
        text: t('show.report'),
      }
    if (!isDeveloper) return { ...links.reports, search: {}, text: t('show.report') }
    if (artifactId !== null) return { ...links.delivery(artifactId), search: {}, text: t('show.delivery') }
    if (source !== null) return { ...links.source(source.source_id), search: {}, text: t('show.source') }
    if (connection !== null)
      return { ...links.connection(connection.connection_id), search: {}, text: t('show.connection') }
    return kind === 'parsing_late' ? { ...links.deliveries, search: {}, text: t('show.deliveries') } : null
  }

  return { toSentence, toAdvice, toLink }
}
