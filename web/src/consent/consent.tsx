import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ask, type Answer } from '../api/ask.ts'
import { AskError } from '../api/ask-error.ts'
import { FailedOrder } from '../identity/failed-order.tsx'
import { formatDay } from '../language/format-instant.ts'
import type { Language } from '../language/language.ts'
import { Card, FieldSection, Section } from '../page/card.tsx'
import { Failure } from '../page/failure.tsx'
import { AppHeading } from './app-heading.tsx'
import {
  allowsNothing,
  companyChoices,
  type ConsentRequest,
  newPermissions,
  newResources,
  startingChoice,
  toSign,
} from './choice.ts'
import { CompanyChoice } from './company-choice.tsx'
import { Leaving } from './leaving.tsx'
import { PermissionChoice } from './permission-choice.tsx'
import { Resources } from './resources.tsx'
import { Signing } from './signing.tsx'
import classes from './consent.module.css'

type Signed = Answer<'POST /console/authorize/sign/{order_id}/collect'>

/** The member looks at what the app asks for, ticks, and signs or denies. */
export const Consent = ({
  request,
  query,
  csrfToken,
}: {
  request: ConsentRequest
  query: string
  csrfToken: string
}) => {
  const { t, i18n } = useTranslation()
  const [choice, setChoice] = useState(() => startingChoice(request))
  const [failed, setFailed] = useState<string>()
  const [leavingTo, setLeavingTo] = useState<string>()
  const sign = useMutation({
    mutationFn: (language: Language) =>
      ask('POST /console/authorize/sign', { body: { query, ...toSign(choice), language } }, csrfToken),
    onMutate: () => setFailed(undefined),
    onSuccess: (answer) => {
      if (answer.state === 'redirect') setLeavingTo(answer.location)
    },
  })
  const deny = useMutation({
    mutationFn: () => ask('POST /console/authorize/deny', { body: { query } }, csrfToken),
    onSuccess: ({ location }) => setLeavingTo(location),
  })

  const onSigned = (signed: Signed | AskError): void => {
    if (signed instanceof AskError) setFailed(signed.code ?? 'ended')
    else if (signed.location !== undefined) setLeavingTo(signed.location)
    else setFailed(signed.reason ?? 'ended')
    sign.reset()
  }

  if (leavingTo !== undefined) return <Leaving location={leavingTo} />
  if (sign.isSuccess && sign.data.state === 'signing') {
    return (
      <Signing
        order={sign.data}
        language={sign.variables}
        query={query}
        csrfToken={csrfToken}
        onOver={onSigned}
        onCancel={() => sign.reset()}
      />
    )
  }

  const permissions = newPermissions(request)
  const companies = companyChoices(request)
  const resources = newResources(request)
  const nothing = allowsNothing(request, choice)
  const lacksCompany = choice.permissions.length > 0 && companies.length > 0
  const busy = sign.isPending || deny.isPending
  const error = sign.error ?? deny.error
  const day = formatDay(i18n.language, request.ends_at)

  return (
    // No form: Enter on a tick would send it, and with nothing ticked that is a refusal.
    <div className={classes.contributions}>
      {failed !== undefined && <FailedOrder title="signing.failed" reason={failed} />}
      <Card>
        <AppHeading app={request.app} adds={request.adds} />
        {permissions.length > 0 && (
          <FieldSection title={t('consent.sees')}>
            <PermissionChoice asked={permissions} choice={choice} onChoose={setChoice} />
          </FieldSection>
        )}
        {!request.adds && (
          <Section>
            <h2>{t('consent.changes')}</h2>
            <p className="quiet">{t('consent.noChanges')}</p>
          </Section>
        )}
        {(companies.length > 0 || !request.adds) && (
          <FieldSection title={t(request.adds ? 'consent.addedCompanies' : 'consent.companies')}>
            <CompanyChoice request={request} choice={choice} onChoose={setChoice} />
          </FieldSection>
        )}
        {resources.length > 0 && <Resources resources={resources} />}
        <Section>
          <p className="quiet">
            {request.adds ? (
              t('consent.endsAsBefore', { date: day })
            ) : (
              <>
                {t('consent.ends', { date: day })} {t('consent.sooner')}{' '}
                <a href="/apps" target="_blank" rel="noreferrer">
                  {t('consent.soonerLink')}
                  <span className="unseen"> {t('page.newTab')}</span>
                </a>
                .
              </>
            )}
          </p>
          {error && <Failure error={error} />}
          <p role="status" className={nothing ? 'quiet' : 'unseen'}>
            {nothing && t(lacksCompany ? 'consent.noCompanyYet' : 'consent.nothing')}
          </p>
          <div className={classes.answers}>
            <Button
              size="md"
              variant={nothing ? 'default' : 'filled'}
              loading={nothing ? deny.isPending : sign.isPending}
              disabled={busy}
              onClick={() => (nothing ? deny.mutate() : sign.mutate(i18n.language as Language))}
            >
              {t(nothing ? 'consent.refuse' : 'consent.sign')}
            </Button>
            {!nothing && (
              <Button
                size="md"
                variant="default"
                loading={deny.isPending}
                disabled={busy}
                onClick={() => deny.mutate()}
              >
                {t('consent.deny')}
              </Button>
            )}
          </div>
        </Section>
      </Card>
    </div>
  )
}
