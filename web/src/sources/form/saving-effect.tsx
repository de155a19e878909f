import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useCompany } from '../../company/company.ts'
import { useFormat } from '../../company/use-format.ts'
import { isolate } from '../../language/isolate.ts'
import { Card } from '../../ui/layout/card.tsx'
import { Section } from '../../ui/layout/section.tsx'
import { getReasons } from '../compare-sources.ts'
import { sourceQuery } from '../source-query.ts'
import { type Draft, toDeclaration } from './draft.ts'
import type { Preview, StepProps } from './form-state.ts'

/** The most names in a sentence. */
const namesMax = 3

type SavingProps = StepProps & { saving: Preview['saving'] | undefined }

/** What saving does: whether it creates a version, and whether stored deliveries are parsed again. */
export function SavingEffect(props: SavingProps) {
  const { t } = useTranslation('sources')
  return (
    <Card>
      <Section title={t('saving.title')}>
        <Effect {...props} />
      </Section>
    </Card>
  )
}

function Effect({ sourceId, draft, saving }: SavingProps) {
  const { t } = useTranslation('sources')
  const format = useFormat()
  if (sourceId === null) {
    return (
      <p className="quiet">{t(draft.channel === 'webhook' ? 'saving.createsWebhook' : 'saving.creates')}</p>
    )
  }
  if (saving == null) return <p className="quiet">{t('saving.unknown')}</p>
  const { creates_version: version, rebuilds, stored } = saving
  const counts = { count: stored.deliveries, deliveries: format.count(stored.deliveries) }
  const reads = t(stored.more ? 'saving.rebuildsMore' : 'saving.rebuilds', counts)
  return (
    <>
      <p className="quiet">
        {version === null ? (
          t('saving.noVersion')
        ) : (
          <Version sourceId={sourceId} version={version} draft={draft} />
        )}
      </p>
      <p className="quiet">{rebuilds ? reads : t('saving.rebuildsNothing')}</p>
    </>
  )
}

/** The new version, and why it is created. */
function Version({ sourceId, version, draft }: { sourceId: string; version: number; draft: Draft }) {
  const { t } = useTranslation('sources')
  const { company_id } = useCompany()
  const current = useQuery(sourceQuery(company_id, sourceId)).data?.versions[0]
  const created = t('saving.version', { version })
  if (current === undefined) return created
  const reasons = getReasons(current, toDeclaration(draft))
  const fields = (['added', 'removed', 'changed'] as const).map((change) => {
    const count = reasons[change].length
    const names = reasons[change].slice(0, namesMax).map(isolate).join(', ')
    return count > 0 && t(`saving.${change}`, { count, names: count > namesMax ? `${names} …` : names })
  })
  const others = (['eventTime', 'delivers', 'metrics', 'order'] as const).map(
    (reason) => reasons[reason] && t(`saving.${reason}`),
  )
  const older = t('saving.senders', { version: current.shape_version })
  return [created, ...fields, ...others, older].filter(Boolean).join(' ')
}
