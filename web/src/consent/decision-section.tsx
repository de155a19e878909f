import { useTranslation } from 'react-i18next'
import { usualDevice } from '../identity/device.ts'
import { formatInstantDay, signedDaysZone } from '../language/format-instant.ts'
import type { Language } from '../language/language.ts'
import { Button } from '../ui/controls/button.tsx'
import { Failure } from '../ui/feedback/failure.tsx'
import { Section } from '../ui/layout/section.tsx'
import { type Choice, type ConsentRequest, type Group, missingIn } from './choice.ts'
import classes from './decision-section.module.css'
import type { Decision } from './use-decision.ts'

/**
 * When the access ends, and the buttons to sign or deny.
 *
 * @param props.onMissing a group has no choice, so that there is nothing to sign
 */
export function DecisionSection({
  request,
  choice,
  decision: { sign, deny },
  onMissing,
}: {
  request: ConsentRequest
  choice: Choice
  decision: Decision
  onMissing: (group: Group) => void
}) {
  const { t, i18n } = useTranslation('consent')
  const isBusy = sign.isPending || deny.isPending
  const error = sign.error ?? deny.error

  function onSign(): void {
    const missing = missingIn(request, choice)
    if (missing !== undefined) onMissing(missing)
    else sign.mutate({ choice, language: i18n.language as Language, device: usualDevice() })
  }

  return (
    <Section>
      <Expiry request={request} />
      {error && <Failure error={error} />}
      <div className={classes.buttons}>
        <Button variant="primary" busy={isBusy} onClick={onSign}>
          {t('sign')}
        </Button>
        <Button busy={isBusy} onClick={() => deny.mutate()}>
          {t('deny')}
        </Button>
      </div>
    </Section>
  )
}

/** Additions end together with the access that they extend. */
function Expiry({ request: { adds, ends_at } }: { request: ConsentRequest }) {
  const { t, i18n } = useTranslation(['consent', 'translation'])
  const date = formatInstantDay(i18n.language, ends_at, signedDaysZone)
  if (adds) return <p className="quiet">{t('endsAsBefore', { date })}</p>
  return (
    <p className="quiet">
      {t('ends', { date })} {t('sooner')}{' '}
      <a href="/apps" target="_blank" rel="noreferrer">
        {t('soonerLink')}
        <span className="unseen"> {t('translation:ui.newTab')}</span>
      </a>
      .
    </p>
  )
}
