import { Alert, Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ask, type Answer } from '../api/ask.ts'
import { AskError } from '../api/ask-error.ts'
import { FailedOrder } from '../identity/failed-order.tsx'
import { OrderPanel } from '../identity/order-panel.tsx'
import { Card, Section } from '../page/card.tsx'
import { Failure } from '../page/failure.tsx'
import { PageTitle } from '../page/page-title.tsx'
import { renewSession } from './use-session.ts'

type Progress = Answer<'POST /console/sign-in/{order_id}/collect'>

/**
 * Signing in, wherever a page needs it; the page goes on by itself once somebody is signed in.
 *
 * @param intro why, in a sentence
 * @param ended the session ended while the page was open
 */
export const SignIn = ({ intro, ended }: { intro: string; ended: boolean }) => {
  const { t } = useTranslation()
  const client = useQueryClient()
  const [failed, setFailed] = useState<string>()
  const start = useMutation({
    mutationFn: () => ask('POST /console/sign-in', { body: {} }),
    onMutate: () => setFailed(undefined),
  })
  const cancel = useMutation({
    mutationFn: (order_id: string) =>
      ask('POST /console/sign-in/{order_id}/cancel', { path: { order_id }, body: {} }),
  })
  const order = start.data

  const onOver = (progress: Progress | AskError): void => {
    if (!(progress instanceof AskError) && progress.state === 'complete') {
      void renewSession(client)
      return
    }
    setFailed((progress instanceof AskError ? progress.code : progress.reason) ?? 'ended')
    start.reset()
  }

  return (
    <Card>
      <Section>
        <PageTitle tab={t('signIn.title')}>{t('signIn.title')}</PageTitle>
        {ended && <Alert role="status">{t('session.ended')}</Alert>}
        {order === undefined ? (
          <>
            <p>{intro}</p>
            {failed !== undefined && <FailedOrder title="signIn.failed" reason={failed} />}
            {start.error && <Failure error={start.error} title="signIn.failed" />}
            <Button size="md" fullWidth loading={start.isPending} onClick={() => start.mutate()}>
              {t('signIn.start')}
            </Button>
          </>
        ) : (
          <OrderPanel
            order={order}
            waiting={t('signIn.waiting')}
            collect={() =>
              ask('POST /console/sign-in/{order_id}/collect', {
                path: { order_id: order.order_id },
                body: {},
              })
            }
            onOver={onOver}
            onCancel={() => {
              cancel.mutate(order.order_id)
              start.reset()
            }}
          />
        )}
      </Section>
    </Card>
  )
}
