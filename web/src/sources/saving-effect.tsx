import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useCompany } from '../company/company.ts'
import { useFormat } from '../company/use-format.ts'
import { isolate } from '../language/isolate.ts'
import { Card } from '../ui/card.tsx'
import { Section } from '../ui/section.tsx'
import { reasonsOf } from './compare-sources.ts'
import { declarationOf } from './draft.ts'
import type { Preview, StepProps } from './form-state.ts'
import { sourceQuery } from './source-query.ts'

/** Names that a sentence says; of more it says how many. */
const namesSaidMax = 3

/** What saving does: a version or none, and whether all that is stored is read anew. */
export function SavingEffect({
  sourceId,
  draft,
  saving,
}: StepProps & { saving: Preview['saving'] | undefined }) {
  const { t } = useTranslation('sources')
  const format = useFormat()
  return (
    <Card>
      <Section title={t('saving.title')}>
        {sourceId === null ? (
          <p className="quiet">
            {t(draft.delivery_way === 'webhook' ? 'saving.makesWebhook' : 'saving.makes')}
          </p>
        ) : saving == null ? (
          <p className="quiet">{t('saving.unknown')}</p>
        ) : (
          <>
            <p className="quiet">
              {saving.makes_version === null ? (
                t('saving.noVersion')
              ) : (
                <Version sourceId={sourceId} version={saving.makes_version} draft={draft} />
              )}
            </p>
            <p className="quiet">
              {saving.rebuilds
                ? t(saving.stored.more ? 'saving.readsMore' : 'saving.reads', {
                    count: saving.stored.deliveries,
                    deliveries: format.count(saving.stored.deliveries),
                  })
                : t('saving.readsNothing')}
            </p>
          </>
        )}
      </Section>
    </Card>
  )
}

/** Names, for a sentence. */
function namesOf(list: readonly string[]): { count: number; names: string } {
  const said = list.slice(0, namesSaidMax).map(isolate).join(', ')
  return { count: list.length, names: list.length > namesSaidMax ? `${said} …` : said }
}

/** Why it makes a version. */
function Version({
  sourceId,
  version,
  draft,
}: {
  sourceId: string
  version: number
  draft: StepProps['draft']
}) {
  const { t } = useTranslation('sources')
  const { company_id } = useCompany()
  const current = useQuery(sourceQuery(company_id, sourceId)).data?.versions[0]
  const makes = t('saving.version', { version })
  if (current === undefined) return makes
  const reasons = reasonsOf(current, declarationOf(draft))
  const said = [
    reasons.added.length > 0 && t('saving.added', namesOf(reasons.added)),
    reasons.removed.length > 0 && t('saving.removed', namesOf(reasons.removed)),
    reasons.changed.length > 0 && t('saving.changed', namesOf(reasons.changed)),
    reasons.eventTime && t('saving.eventTime'),
    reasons.delivers && t('saving.delivers'),
    reasons.metrics && t('saving.metrics'),
    reasons.order && t('saving.order'),
  ].filter((sentence) => sentence !== false)
  return (
    <>
      {makes} {said.join(' ')} {t('saving.goOn', { version: current.shape_version })}
    </>
  )
}
