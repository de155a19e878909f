import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../company/use-format.ts'
import { useLinks } from '../../company/use-links.ts'
import { isolate } from '../../language/isolate.ts'
import { Button } from '../../ui/controls/button.tsx'
import { ButtonLink } from '../../ui/controls/button-link.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx'
import { CopyableId } from '../../ui/display/copy.tsx'
import { Fact, Facts } from '../../ui/display/facts.tsx'
import { Section } from '../../ui/layout/section.tsx'
import type { ShownSource } from '../declaration.ts'
import { useSourceAction } from '../source-actions.ts'
import { SigningSecrets } from './signing-secrets.tsx'

/** A source's settings, its signing secrets, and its rebuild. */
export function SourceSettings({ data }: { data: ShownSource }) {
  const { source, stored } = data
  const { t } = useTranslation('sources')
  const format = useFormat()
  const links = useLinks()
  const { source_id } = source
  const counts = { count: stored.deliveries, deliveries: format.count(stored.deliveries) }
  const change = (
    <ButtonLink {...links.changeSource(source_id)} small>
      {t('change')}
    </ButtonLink>
  )
  return (
    <>
      <Card>
        <Section title={t('thisSource')} actions={change}>
          <Facts>
            <Fact name={t('form.name')}>
              <bdi>{source.name}</bdi>
            </Fact>
            <Fact name={t('form.kind')}>
              <bdi>{source.system_kind}</bdi>
            </Fact>
            <Fact name={t('form.channel')}>{t(source.channel)}</Fact>
            <Fact name={t('form.format')}>
              {source.format === null ? t('form.found') : t(`format.${source.format}`)}
            </Fact>
            <Fact name={t('deliversHead')}>{t(source.delivers)}</Fact>
            <Fact name={t('id')}>
              <CopyableId id={source_id} label={t('id')} whole />
            </Fact>
            <Fact name={t('created')}>{format.instant(source.created_at)}</Fact>
            <Fact name={t('stored')}>
              {t(stored.more ? 'storedMore' : 'storedCount', counts)}, {format.bytes(stored.content_bytes)}
            </Fact>
          </Facts>
        </Section>
      </Card>
      {source.channel === 'webhook' && <SigningSecrets data={data} />}
      <Rebuild data={data} />
    </>
  )
}

function Rebuild({ data: { source, stored, activity } }: { data: ShownSource }) {
  const { t } = useTranslation('sources')
  const format = useFormat()
  const [isAsking, setIsAsking] = useState(false)
  const rebuild = useSourceAction(source.source_id)
  const { deliveries: count, more } = stored
  const isDisabled = activity.rebuild !== null || count === 0
  const close = (): void => setIsAsking(false)
  const start = (
    <Button icon="repeat" small disabled={isDisabled} onClick={() => setIsAsking(true)}>
      {t('rebuild.do')}
    </Button>
  )
  return (
    <Card>
      <Section title={t('rebuild.title')} actions={start}>
        <p className="quiet">{t('rebuild.text')}</p>
      </Section>
      {isAsking && (
        <ConfirmDialog
          title={t('rebuild.ask', { source: isolate(source.name) })}
          confirm={t('rebuild.do')}
          variant="primary"
          action={rebuild}
          onConfirm={() => rebuild.mutate('rebuilds', { onSuccess: close })}
          onClose={close}
        >
          <p>
            {t(more ? 'saving.rebuildsMore' : 'saving.rebuilds', { count, deliveries: format.count(count) })}
          </p>
        </ConfirmDialog>
      )}
    </Card>
  )
}
