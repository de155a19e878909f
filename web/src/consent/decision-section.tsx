import { useTranslation } from 'react-i18next'
import type { Language } from '../language/language.ts'
import { Button } from '../ui/button.tsx'
import { Failure } from '../ui/failure.tsx'
import { Section } from '../ui/section.tsx'
import { allowsNothing, type Choice, companyChoices, type ConsentRequest } from './choice.ts'
import classes from './decision-section.module.css'
import { ExpiryNote } from './expiry-note.tsx'
import type { Decision } from './use-decision.ts'

/** When it ends, and the buttons. A choice that allows nothing makes the first button a refusal, and says so. */
export function DecisionSection({
  request,
  choice,
  decision: { sign, deny },
}: {
  request: ConsentRequest
  choice: Choice
  decision: Decision
}) {
  const { t, i18n } = useTranslation()
  const nothing = allowsNothing(request, choice)
  const lacksCompany = choice.permissions.length > 0 && companyChoices(request).length > 0
  const isBusy = sign.isPending || deny.isPending
  const error = sign.error ?? deny.error
  return (
    <Section>
      <ExpiryNote request={request} />
      {error && <Failure error={error} />}
      <p role="status" className={nothing ? 'quiet' : 'unseen'}>
        {nothing && t(lacksCompany ? 'consent.noCompanyYet' : 'consent.nothing')}
      </p>
      <div className={classes.buttons}>
        <Button
          variant={nothing ? 'secondary' : 'primary'}
          busy={isBusy}
          onClick={() =>
            nothing ? deny.mutate() : sign.mutate({ choice, language: i18n.language as Language })
          }
        >
          {t(nothing ? 'consent.refuse' : 'consent.sign')}
        </Button>
        {!nothing && (
          <Button busy={isBusy} onClick={() => deny.mutate()}>
            {t('consent.deny')}
          </Button>
        )}
      </div>
    </Section>
  )
}
