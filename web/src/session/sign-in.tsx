import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../api/api-error.ts'
import { type ApiRequest, callApi } from '../api/call-api.ts'
import { isDemo, signInWith } from '../api/document-facts.ts'
import { DemoMark } from '../identity/demo-mark.tsx'
import { FailedOrder, type OrderFailure, Retry } from '../identity/failed-order.tsx'
import { isOverElsewhere } from '../identity/failure-texts.ts'
import { usualDevice } from '../identity/device.ts'
import { useFailureMessage } from '../identity/messages.ts'
import { type Device, type PageOrder, toPageOrder } from '../identity/order.ts'
import { OrderPanel } from '../identity/order-panel.tsx'
import { removeRememberedOrder, type Purpose, recallOrder } from '../identity/remembered-order.ts'
import { rememberFragment, returnTo } from '../identity/return-to.ts'
import { Button } from '../ui/controls/button.tsx'
import { Card } from '../ui/layout/card.tsx'
import { Failure } from '../ui/feedback/failure.tsx'
import { Note } from '../ui/feedback/note.tsx'
import { PageTitle } from '../ui/layout/page-title.tsx'
import { Section } from '../ui/layout/section.tsx'
import { announceSession, renewSession } from './use-session.ts'

/** The app was opened on another network than this page. Only a person who sees this screen can scan a code. */
function continuesByCode(failure: OrderFailure | undefined): boolean {
  return failure?.reason === 'other_network' && failure.device === 'this'
}

/** A browser has one sign-in at a time, on any page. */
const purpose: Purpose = { of: 'sign-in', place: '' }

/**
 * Signing in, on any page that needs it. The page then continues by itself.
 *
 * @param props.intro why, in a sentence
 * @param props.about what for, at each step
 * @param props.ended the session ended while the page was open
 */
export function SignIn({
  intro,
  about,
  ended = false,
}: {
  intro: string
  about?: ReactNode
  ended?: boolean
}) {
  const { t } = useTranslation()
  const { steps, title, step } = useSignIn(intro)
  return (
    <Card>
      <Section>
        {/* A new heading takes the focus. */}
        <PageTitle key={step} tab={title}>
          {title}
        </PageTitle>
        {ended && <Note role="status">{t('session.ended')}</Note>}
        {about}
        {steps}
      </Section>
    </Card>
  )
}

interface SignInSteps {
  steps: ReactNode
  title: string
  step: 'begin' | 'identify'
  cancel: (() => void) | undefined
}

/**
 * The steps of signing in, for a container with a heading of its own. Continues a sign-in that was started on an earlier page
 * or in another tab.
 *
 * @param keepsPage the page must stay open, with what was typed
 */
export function useSignIn(intro: string, keepsPage = false): SignInSteps {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [order, setOrder] = useState<PageOrder | undefined>(() => recallOrder(purpose))
  const [failure, setFailure] = useState<OrderFailure>()
  const provider = signInWith() ?? 'demo'
  const start = useMutation({
    mutationFn: (device: Device) => startSignIn({ ...returnTo(provider, keepsPage), device }),
    onMutate: rememberFragment,
    onSuccess: (begun, device) => {
      // The reason for showing a code stays next to it.
      if (device === 'this' || !continuesByCode(failure)) setFailure(undefined)
      setOrder(toPageOrder(begun, device))
    },
    // The order that this one was to replace is over.
    onError: () => setOrder(undefined),
  })
  const cancel = useMutation({
    mutationFn: (order_id: string) =>
      callApi('POST /console/sign-in/{order_id}/cancel', { path: { order_id }, body: {} }),
  })

  /** Another tab may have collected the order, and so signed in this one too. */
  async function leave(failure?: OrderFailure): Promise<void> {
    if (failure === undefined || isOverElsewhere(failure.reason)) await renewSession(client)
    setFailure(failure)
    if (continuesByCode(failure)) start.mutate('other')
    else setOrder(undefined)
  }

  if (order === undefined) {
    const onStart = (): void => start.mutate(failure?.device ?? usualDevice())
    const steps = <Begin intro={intro} start={start} onStart={onStart} failure={failure} />
    return { steps, title: t('signIn.title'), step: 'begin', cancel: undefined }
  }
  function giveUp(): void {
    setFailure(undefined)
    removeRememberedOrder(purpose, order!)
    cancel.mutate(order!.order_id)
    setOrder(undefined)
  }
  const steps = (
    <>
      {order.device === 'other' && failure !== undefined && <WhyByCode failure={failure} />}
      <OrderPanel
        order={order}
        provider={provider}
        purpose={purpose}
        keepsPage={keepsPage}
        collect={(signal) =>
          callApi('POST /console/sign-in/{order_id}/collect', {
            path: { order_id: order.order_id },
            body: {},
            signal,
          })
        }
        cancel={() => cancel.mutateAsync(order.order_id)}
        onBegin={start.mutate}
        onOutcome={() => void announceSession(client)}
        onFailed={(failure) => void leave(failure)}
        onGone={() => void leave()}
        onCancel={giveUp}
      />
    </>
  )
  return { steps, title: t('signIn.identify'), step: 'identify', cancel: giveUp }
}

/** Starts signing in. From an unknown address, the person returns to the start page. */
async function startSignIn(body: ApiRequest<'POST /console/sign-in'>['body']) {
  try {
    return await callApi('POST /console/sign-in', { body })
  } catch (error) {
    if (!(error instanceof ApiError) || error.field !== 'return_to') throw error
    return await callApi('POST /console/sign-in', { body: { ...body, return_to: '/' } })
  }
}

/** Why a person with the app on this device is shown a code. */
function WhyByCode({ failure: { reason, device } }: { failure: OrderFailure }) {
  const { t } = useTranslation('identity')
  const toMessage = useFailureMessage(false)
  return (
    <Note tone="amber" icon="info" role="alert" title={t('byCode')}>
      {toMessage(reason, 'bankid', device)}
    </Note>
  )
}

function Begin({
  intro,
  start,
  onStart,
  failure,
}: {
  intro: string
  start: { isPending: boolean; error: Error | null }
  onStart: () => void
  failure: OrderFailure | undefined
}) {
  const { t } = useTranslation()
  const provider = signInWith() ?? 'demo'
  const look = { variant: 'primary', wide: true, busy: start.isPending } as const
  return (
    <>
      {failure === undefined && <p>{intro}</p>}
      {isDemo() && <DemoMark />}
      {failure !== undefined && (
        <FailedOrder title={t('signIn.failed')} failure={failure} provider={provider} isSigning={false} />
      )}
      {start.error && <Failure error={start.error} title={t('signIn.failed')} />}
      {failure === undefined ? (
        <Button {...look} onClick={onStart}>
          {t(provider === 'bankid' ? 'signIn.startBankId' : 'signIn.start')}
        </Button>
      ) : (
        <Retry {...look} onRetry={onStart} />
      )}
    </>
  )
}
