import { useQueryClient } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { attentionQuery, type AttentionItem } from '../company/attention.ts'
import { useCompany } from '../company/company.ts'
import { useFormat } from '../company/use-format.ts'
import { isolate } from '../language/isolate.ts'
import { useWrite } from '../session/use-write.ts'
import { Button } from '../ui/controls/button.tsx'
import { Icon, type IconName } from '../ui/display/icon.tsx'
import { Failure } from '../ui/feedback/failure.tsx'
import { focusTitle } from '../ui/layout/page-title.tsx'
import { useNow } from '../ui/use-now.ts'
import classes from './item-list.module.css'
import { useItemText } from './use-item-text.ts'

const icons: Record<AttentionItem['kind'], IconName> = {
  source_late: 'clock',
  period_corrected: 'repeat',
  rows_refused: 'warning',
  paused_refusing: 'pause',
  connection_ends: 'connection',
  credential_ends: 'connection',
  secret_ends: 'signature',
  limit_near: 'warning',
  parsing_late: 'clock',
}

/** Items with what to do about each, and a button that marks it for everyone in the company. */
export function ItemList({
  items,
  onMarked,
}: {
  items: readonly AttentionItem[]
  onMarked: (announcement: string) => void
}) {
  return (
    <ul className={classes.list}>
      {items.map((item) => (
        <Item key={item.key} item={item} onMarked={onMarked} />
      ))}
    </ul>
  )
}

function Item({ item, onMarked }: { item: AttentionItem; onMarked: (announcement: string) => void }) {
  const { t } = useTranslation('attention')
  const { company_id } = useCompany()
  const format = useFormat()
  const now = useNow()
  const { toSentence, toAdvice, toLink } = useItemText()
  const client = useQueryClient()
  const isOpen = item.done === null
  const renew = () => client.invalidateQueries({ queryKey: attentionQuery(company_id).queryKey })
  const mark = useWrite('POST /console/companies/{company_id}/attention/marks', {
    onSuccess: async () => {
      onMarked(t(isOpen ? 'marked' : 'reopened'))
      // The row moves away with the button that has the focus.
      focusTitle()
      await renew()
    },
    onError: () => void renew(),
  })
  const sentence = toSentence(item, now)
  const link = toLink(item)
  const { key, version, since, done } = item
  return (
    <li className={classes.item}>
      <span className={classes.icon}>
        <Icon name={icons[item.kind]} />
      </span>
      <div className={classes.text}>
        <b>{sentence}</b>
        <p className="small">
          {done !== null &&
            (done.name === null
              ? t('doneUnknown', { when: format.instant(done.at) })
              : t('doneBy', { name: isolate(done.name), when: format.instant(done.at) }))}
          {done === null && since !== null && t('since', { when: format.instant(since) })}
        </p>
        {isOpen && (
          <p>
            {toAdvice(item)} {link !== null && <Link {...(link as LinkProps)}>{link.text}</Link>}
          </p>
        )}
        {mark.error && <Failure error={mark.error} title={t('failed')} />}
      </div>
      <Button
        small
        icon={isOpen ? 'check' : 'repeat'}
        busy={mark.isPending}
        aria-label={t(isOpen ? 'markWhat' : 'reopenWhat', { what: sentence })}
        onClick={() => mark.mutate({ path: { company_id }, body: { key, version, done: isOpen } })}
      >
        {t(isOpen ? 'markDone' : 'reopen')}
      </Button>
    </li>
  )
}
