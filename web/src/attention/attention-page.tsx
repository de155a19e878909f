import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { attentionQuery } from '../company/attention.ts'
import { may, useCompany } from '../company/company.ts'
import { isolate } from '../language/isolate.ts'
import { addTexts } from '../language/language.ts'
import { en } from '../language/en/attention.ts'
import { sv } from '../language/sv/attention.ts'
import { Empty } from '../ui/feedback/empty-start.tsx'
import { LiveRegion } from '../ui/feedback/live.tsx'
import { Loaded } from '../ui/feedback/loaded.tsx'
import { SkeletonRows } from '../ui/feedback/skeleton.tsx'
import { Below } from '../ui/layout/below.tsx'
import { Card } from '../ui/layout/card.tsx'
import { Page } from '../ui/layout/page.tsx'
import { PageHead } from '../ui/layout/page-head.tsx'
import { Section } from '../ui/layout/section.tsx'
import { ItemList } from './item-list.tsx'
import { LinkList } from './link-list.tsx'

addTexts('attention', { en, sv })

/** What needs attention in a company, and for developers its read-only links (`/companies/{id}/attention`). */
export function AttentionPage() {
  const { t } = useTranslation('attention')
  const { company_id, name, role } = useCompany()
  const { data, error, refetch } = useQuery(attentionQuery(company_id))
  const [announcement, setAnnouncement] = useState<string>()
  return (
    <Page>
      <PageHead title={t('title')} line={t('intro', { company: isolate(name) })} />
      <LiveRegion>{announcement}</LiveRegion>
      <Loaded query={{ data: data?.answer, error, refetch }} skeleton={<SkeletonRows />}>
        {({ items, more }) => {
          const open = items.filter(({ done }) => done === null)
          const done = items.filter((item) => item.done !== null)
          return (
            <>
              {open.length === 0 ? (
                <Empty title={t('nothing')}>{t('nothingText')}</Empty>
              ) : (
                <Card>
                  <Section title={t('open')} {...(more && { line: t('more', { count: items.length }) })} />
                  <ItemList items={open} onMarked={setAnnouncement} />
                </Card>
              )}
              {done.length > 0 && (
                <Card>
                  <Section title={t('doneTitle')} />
                  <ItemList items={done} onMarked={setAnnouncement} />
                </Card>
              )}
            </>
          )
        }}
      </Loaded>
      {may(role, 'developer') && (
        <Below isReady={data !== undefined || error !== null}>
          <LinkList onDone={setAnnouncement} />
        </Below>
      )}
    </Page>
  )
}
