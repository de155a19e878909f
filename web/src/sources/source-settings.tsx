import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useCompany } from '../company/company.ts'
import { useFormat } from '../company/use-format.ts'
import { isolate } from '../language/isolate.ts'
import { Button } from '../ui/button.tsx'
import { ButtonLink } from '../ui/button-link.tsx'
import { Card } from '../ui/card.tsx'
import { CopyableId } from '../ui/copy.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Failure } from '../ui/failure.tsx'
import { Fact, Facts } from '../ui/facts.tsx'
import { Section } from '../ui/section.tsx'
import { SigningSecrets } from './signing-secrets.tsx'
import type { ShownSource } from './source-query.ts'
import { useSourceAction } from './use-source-change.ts'

/** What a source is, its signing secrets, and rebuilding it. */
export function SourceSettings({ data }: { data: ShownSource }) {
  const { source, stored } = data
  const { t } = useTranslation('sources')
  const format = useFormat()
  const { company_id } = useCompany()
  const count = format.count(stored.deliveries)
  return (
    <>
      <Card>
        <Section
          title={t('thisSource')}
          actions={
            <ButtonLink
              to="/companies/$companyId/sources/$sourceId/change"
              params={{ companyId: company_id, sourceId: source.source_id }}
              small
            >
              {t('change')}
            </ButtonLink>
          }
        >
          <Facts>
            <Fact name={t('form.name')}>
              <bdi>{source.name}</bdi>
            </Fact>
            <Fact name={t('form.kind')}>
              <bdi>{source.system_kind}</bdi>
            </Fact>
            <Fact name={t('form.way')}>{t(source.delivery_way)}</Fact>
            <Fact name={t('form.format')}>
              {source.document_form === null ? t('form.found') : t(`format.${source.document_form}`)}
            </Fact>
            <Fact name={t('deliversHead')}>{t(source.delivers)}</Fact>
            <Fact name={t('id')}>
              <CopyableId id={source.source_id} label={t('id')} whole />
            </Fact>
            <Fact name={t('made')}>{format.instant(source.created_at)}</Fact>
            <Fact name={t('stored')}>
              {t(stored.more ? 'storedMore' : 'storedCount', { count: stored.deliveries, deliveries: count })}
              , {format.bytes(stored.content_bytes)}
            </Fact>
          </Facts>
        </Section>
      </Card>
      {source.delivery_way === 'webhook' && <SigningSecrets data={data} />}
      <Rebuild data={data} />
    </>
  )
}

function Rebuild({ data: { source, stored, activity } }: { data: ShownSource }) {
  const { t } = useTranslation('sources')
  const format = useFormat()
  const [isAsking, setIsAsking] = useState(false)
  const rebuild = useSourceAction(source.source_id)
  return (
    <Card>
      <Section
        title={t('rebuild.title')}
        actions={
          <Button
            icon="repeat"
            small
            disabled={activity.rebuild !== null || stored.deliveries === 0}
            onClick={() => setIsAsking(true)}
          >
            {t('rebuild.do')}
          </Button>
        }
      >
        <p className="quiet">{t('rebuild.text')}</p>
      </Section>
      {isAsking && (
        <Dialog
          title={t('rebuild.ask', { source: isolate(source.name) })}
          onClose={() => setIsAsking(false)}
          footer={
            <>
              <Button onClick={() => setIsAsking(false)}>{t('ui.cancel', { ns: 'translation' })}</Button>
              <Button
                variant="primary"
                busy={rebuild.isPending}
                onClick={() => rebuild.mutate('refold', { onSuccess: () => setIsAsking(false) })}
              >
                {t('rebuild.do')}
              </Button>
            </>
          }
        >
          <p>
            {t(stored.more ? 'saving.readsMore' : 'saving.reads', {
              count: stored.deliveries,
              deliveries: format.count(stored.deliveries),
            })}
          </p>
          {rebuild.error !== null && <Failure error={rebuild.error} />}
        </Dialog>
      )}
    </Card>
  )
}
