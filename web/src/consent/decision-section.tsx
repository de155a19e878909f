import { useTranslation } from 'react-i18next'
import { usualDevice } from '../identity/device.ts'
import type { Language } from '../language/language.ts'
import { Button } from '../ui/button.tsx'
import { Failure } from '../ui/failure.tsx'
import { Section } from '../ui/section.tsx'
import { type Choice, type ConsentRequest, type Group, missingIn } from './choice.ts'
import classes from './decision-section.module.css'
import { ExpiryNote } from './expiry-note.tsx'
import type { Decision } from './use-decision.ts'

/**
 * When it ends, and the two answers, which are there always.
 *
 * @param onMissing nothing is ticked in a group, so that there is nothing to sign
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
      <ExpiryNote request={request} />
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
