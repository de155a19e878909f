import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../api/api-error.ts'
import { type ApiResponse, callApi } from '../api/call-api.ts'
import { isDemo } from '../api/document-facts.ts'
import { DemoMark } from '../identity/demo-mark.tsx'
import { FailedOrder } from '../identity/failed-order.tsx'
import { OrderPanel } from '../identity/order-panel.tsx'
import { Button } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { Failure } from '../ui/failure.tsx'
import { Note } from '../ui/note.tsx'
import { PageTitle } from '../ui/page-title.tsx'
import { Section } from '../ui/section.tsx'
import { renewSession } from './use-session.ts'

type Progress = ApiResponse<'POST /console/sign-in/{order_id}/collect'>

/**
 * Signing in, on any page that needs it; the page continues by itself once someone is signed in.
 *
 * @param intro why, in a sentence
 * @param about for what or whom, at each step
 * @param ended the session ended while the page was open
 */
export function SignIn({ intro, about, ended }: { intro: string; about?: ReactNode; ended: boolean }) {
  const { t } = useTranslation()
  return (
    <SignInSteps intro={intro}>
      {(steps, title, step) => (
        <Card>
          <Section>
            {/* With each step, so that its heading has the focus. */}
            <PageTitle key={step} tab={title}>
              {title}
            </PageTitle>
            {ended && (
              <Note role="status" icon="info">
                {t('session.ended')}
              </Note>
            )}
            {about}
            {steps}
          </Section>
        </Card>
      )}
    </SignInSteps>
  )
}

/**
 * The steps of signing in, for what they stand in to have a heading.
 *
 * @param children what they stand in, of the step with its title and its name
 */
export function SignInSteps({
  intro,
  children,
}: {
  intro: string
  children: (steps: ReactNode, title: string, step: 'begin' | 'identify') => ReactNode
}) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [failed, setFailed] = useState<string>()
  const start = useMutation({
    mutationFn: () => callApi('POST /console/sign-in', { body: {} }),
    onMutate: () => setFailed(undefined),
  })
  const cancel = useMutation({
    mutationFn: (order_id: string) =>
      callApi('POST /console/sign-in/{order_id}/cancel', { path: { order_id }, body: {} }),
  })
  const order = start.data

  function onOutcome(outcome: Progress | ApiError): void {
    if (!(outcome instanceof ApiError) && outcome.state === 'complete') {
      void renewSession(client)
      return
    }
    setFailed((outcome instanceof ApiError ? outcome.code : outcome.reason) ?? 'ended')
    start.reset()
  }

  if (order === undefined) {
    return children(
      <>
        <p>{intro}</p>
        {isDemo() && <DemoMark />}
        {failed !== undefined && <FailedOrder title={t('signIn.failed')} reason={failed} />}
        {start.error && <Failure error={start.error} title={t('signIn.failed')} />}
        <Button variant="primary" wide busy={start.isPending} onClick={() => start.mutate()}>
          {t('signIn.start')}
        </Button>
      </>,
      t('signIn.title'),
      'begin',
    )
  }
  return children(
    <OrderPanel
      order={order}
      waiting={t('signIn.waiting')}
      collect={() =>
        callApi('POST /console/sign-in/{order_id}/collect', {
          path: { order_id: order.order_id },
          body: {},
        })
      }
      onOutcome={onOutcome}
      onCancel={() => {
        cancel.mutate(order.order_id)
        start.reset()
      }}
    />,
    t('signIn.identify'),
    'identify',
  )
}
