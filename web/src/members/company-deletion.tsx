import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ApiResponse, callApi, fileAddress } from '../api/call-api.ts'
import { useCompany } from '../company/company.ts'
import { companyKey } from '../company/lists.ts'
import { useFormat } from '../company/use-format.ts'
import { usualDevice } from '../identity/device.ts'
import { FailedOrder, type OrderFailure } from '../identity/failed-order.tsx'
import type { Device } from '../identity/order.ts'
import { removeRememberedOrder } from '../identity/remembered-order.ts'
import { recallSigning, type Signing, SigningPanel, toSigning } from '../identity/signing-panel.tsx'
import { isolate } from '../language/isolate.ts'
import type { Language } from '../language/language.ts'
import { useMember } from '../session/member.ts'
import { renewSession } from '../session/use-session.ts'
import { useWrite } from '../session/use-write.ts'
import { Button, Buttons } from '../ui/controls/button.tsx'
import { Failure } from '../ui/feedback/failure.tsx'
import { Loaded } from '../ui/feedback/loaded.tsx'
import { Note } from '../ui/feedback/note.tsx'
import { Card } from '../ui/layout/card.tsx'
import { Stack } from '../ui/layout/page.tsx'
import { Section } from '../ui/layout/section.tsx'

type State = ApiResponse<'GET /console/companies/{company_id}/deletion'>

/** While an export is being downloaded, how often the page asks whether it is complete. Milliseconds. */
const exportPollMs = 2_000

/** The export of the company, and its deletion by two owners. */
export function CompanyDeletion({ onDone }: { onDone: (announcement: string) => void }) {
  const { t } = useTranslation('members')
  const { company_id, name } = useCompany()
  const [isExporting, setExporting] = useState(false)
  const purpose = { of: 'deletion', place: company_id } as const
  const [signing, setSigning] = useState<Signing | undefined>(() => recallSigning(purpose))
  const [fault, setFault] = useState<Error | OrderFailure>()
  const state = useQuery({
    queryKey: companyKey(company_id, 'deletion'),
    queryFn: () => callApi('GET /console/companies/{company_id}/deletion', { path: { company_id } }),
    refetchInterval: ({ state: { data } }) => isExporting && data?.exported_at === null && exportPollMs,
  })
  const renew = useRenew()
  const begin = useBegin(setSigning, setFault)

  if (signing !== undefined) {
    return (
      <SignDeletion
        signing={signing}
        onBegin={begin.mutate}
        onEnd={(failure) => {
          removeRememberedOrder(purpose, signing.order)
          setSigning(undefined)
          setFault(failure)
          void renew()
        }}
      />
    )
  }
  return (
    <Card>
      <Export onStarted={() => setExporting(true)} />
      <Section title={t('deletion.title', { company: isolate(name) })} line={t('deletion.line')}>
        <Loaded query={state}>
          {(known) => (
            <Stack>
              <NextStep
                state={known}
                isSigning={begin.isPending}
                onSign={() => begin.mutate(usualDevice())}
              />
              {known.deletion !== null && <Withdraw onDone={() => onDone(t('deletion.withdrawn'))} />}
              {fault !== undefined && <Fault fault={fault} />}
            </Stack>
          )}
        </Loaded>
      </Section>
    </Card>
  )
}

function useRenew(): () => Promise<unknown> {
  const client = useQueryClient()
  const { company_id } = useCompany()
  return () =>
    Promise.all([client.invalidateQueries({ queryKey: companyKey(company_id) }), renewSession(client)])
}

/** Starts a signature in the page's language. The person returns to this page. */
function useBegin(onBegun: (signing: Signing) => void, onFault: (fault: Error | undefined) => void) {
  const language = useTranslation().i18n.language as Language
  const { company_id } = useCompany()
  const { csrf_token } = useMember()
  return useMutation({
    mutationFn: async (device: Device) => {
      const return_to = `/companies/${company_id}/members?part=company`
      const order = await callApi(
        'POST /console/companies/{company_id}/deletion/sign',
        { path: { company_id }, body: { language, return_to, device } },
        csrf_token,
      )
      return toSigning(order, language, device)
    },
    onSuccess: (signing) => {
      onFault(undefined)
      onBegun(signing)
    },
    onError: onFault,
  })
}

function Export({ onStarted }: { onStarted: () => void }) {
  const { t } = useTranslation('members')
  const { company_id } = useCompany()
  const check = useWrite('POST /console/companies/{company_id}/export', {
    onSuccess: () => {
      // The browser saves the file as it arrives, and stays on the page.
      location.assign(fileAddress('GET /console/companies/{company_id}/export', { path: { company_id } }))
      onStarted()
    },
  })
  return (
    <Section title={t('deletion.export')} line={t('deletion.exportLine')}>
      <Stack>
        <Buttons>
          <Button busy={check.isPending} onClick={() => check.mutate({ path: { company_id }, body: {} })}>
            {t('deletion.exportDo')}
          </Button>
        </Buttons>
        {check.error !== null && <Failure error={check.error} title={t('deletion.exportFailed')} />}
      </Stack>
    </Section>
  )
}

/** What has been signed, and who signs next. */
function NextStep({
  state: { deletion, exported_at, owners },
  isSigning,
  onSign,
}: {
  state: State
  isSigning: boolean
  onSign: () => void
}) {
  const { t } = useTranslation('members')
  const format = useFormat()
  const { member_id, identity } = useMember()
  if (deletion?.state === 'scheduled') {
    return (
      <Note tone="red">{t('deletion.scheduled', { day: format.day(deletion.deletes_after ?? '') })}</Note>
    )
  }
  const isOwn = deletion?.requested_by.member_id === member_id
  const values = {
    name: isolate(deletion?.requested_by.name ?? t('history.unnamed')),
    day: deletion === null ? '' : format.instantDay(deletion.requested_at),
    until: deletion?.void_at == null ? '' : format.instantDay(deletion.void_at),
  }
  if (isOwn) {
    const next = owners > 1 ? 'deletion.otherSigns' : 'deletion.operatorConfirms'
    return <Note tone="amber">{t(next, values)}</Note>
  }
  if (deletion === null && exported_at === null)
    return <Note tone="neutral">{t('deletion.exportFirst')}</Note>
  return (
    <>
      {deletion !== null && <Note tone="amber">{t('deletion.youSign', values)}</Note>}
      {identity.signs ? (
        <Buttons>
          <Button variant="danger" icon="signature" busy={isSigning} onClick={onSign}>
            {t('deletion.sign')}
          </Button>
        </Buttons>
      ) : (
        <Note tone="amber">{t('deletion.cannotSign')}</Note>
      )}
    </>
  )
}

function Withdraw({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation('members')
  const { company_id } = useCompany()
  const renew = useRenew()
  const withdraw = useWrite('POST /console/companies/{company_id}/deletion/withdraw', {
    onSuccess: async () => {
      await renew()
      onDone()
    },
  })
  return (
    <>
      <Buttons>
        <Button busy={withdraw.isPending} onClick={() => withdraw.mutate({ path: { company_id }, body: {} })}>
          {t('deletion.withdraw')}
        </Button>
      </Buttons>
      {withdraw.error !== null && <Failure error={withdraw.error} title={t('deletion.withdrawFailed')} />}
    </>
  )
}

function Fault({ fault }: { fault: Error | OrderFailure }) {
  const { t } = useTranslation('members')
  const { identity } = useMember()
  const title = t('deletion.signFailed')
  if (fault instanceof Error) return <Failure error={fault} title={title} />
  return <FailedOrder title={title} failure={fault} provider={identity.demo ? 'demo' : 'bankid'} isSigning />
}

/** @param props.onEnd called once, with why it failed */
function SignDeletion({
  signing,
  onBegin,
  onEnd,
}: {
  signing: Signing
  onBegin: (device: Device) => void
  onEnd: (fault?: Error | OrderFailure) => void
}) {
  const { t } = useTranslation('members')
  const { company_id } = useCompany()
  const { identity, csrf_token } = useMember()
  const { order, language } = signing
  const path = { company_id, order_id: order.order_id }
  const cancel = useMutation({
    mutationFn: () =>
      callApi(
        'POST /console/companies/{company_id}/deletion/sign/{order_id}/cancel',
        { path, body: {} },
        csrf_token,
      ),
  })
  return (
    <Card>
      <SigningPanel
        title={t('deletion.text')}
        signing={signing}
        provider={identity.demo ? 'demo' : 'bankid'}
        purpose={{ of: 'deletion', place: company_id, ...(language !== undefined && { language }) }}
        collect={(signal) =>
          callApi(
            'POST /console/companies/{company_id}/deletion/sign/{order_id}/collect',
            { path, body: {}, signal },
            csrf_token,
          )
        }
        cancel={cancel.mutateAsync}
        onBegin={onBegin}
        session={csrf_token}
        onOutcome={() => onEnd()}
        onFailed={(failure, error) => onEnd(error ?? failure)}
        onGone={() => onEnd()}
        onCancel={() => {
          cancel.mutate()
          onEnd()
        }}
      />
    </Card>
  )
}
