import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type ApiResponse, callApi } from '../api/call-api.ts'
import { usePages } from '../api/use-pages.ts'
import { useFormat } from '../company/use-format.ts'
import { providerName } from '../identity/order.ts'
import { SignedText } from '../identity/signed-text.tsx'
import { addTexts } from '../language/language.ts'
import { en } from '../language/en/signatures.ts'
import { sv } from '../language/sv/signatures.ts'
import { useMember } from '../session/member.ts'
import { Button, Buttons } from '../ui/controls/button.tsx'
import { Card } from '../ui/layout/card.tsx'
import { CopyableId } from '../ui/display/copy.tsx'
import { download } from '../ui/download.ts'
import { Empty } from '../ui/feedback/empty-start.tsx'
import { type Column, Second, Table } from '../ui/display/table.tsx'
import { Failure } from '../ui/feedback/failure.tsx'
import { Loaded, More } from '../ui/feedback/loaded.tsx'
import { Page } from '../ui/layout/page.tsx'
import { PageHead } from '../ui/layout/page-head.tsx'
import { Section } from '../ui/layout/section.tsx'
import { Dialog } from '../ui/overlays/dialog.tsx'

addTexts('signatures', { en, sv })

type Signature = ApiResponse<'GET /console/signatures'>['signatures'][number]
type Evidence = ApiResponse<'GET /console/signatures/{signature_id}/evidence'>

/** Saves all that the service returns about a signature. Files sort by the day of signing. */
function saveEvidence(evidence: Evidence): void {
  const file = new Blob([`${JSON.stringify(evidence, undefined, 2)}\n`], { type: 'application/json' })
  const { signed_at, signature_id } = evidence
  download(file, `numera-signature-${signed_at.slice(0, 10)}-${signature_id}.json`)
}

/** What the member has signed (`/signatures`). */
export function SignaturesPage() {
  const { t } = useTranslation('signatures')
  const { member_id } = useMember()
  const list = usePages(['signatures', member_id], (query) => callApi('GET /console/signatures', { query }))
  return (
    <Page>
      <PageHead title={t('title')} line={t('intro')} />
      <Loaded query={list}>
        {({ pages }) => {
          const signatures = pages.flatMap(({ signatures }) => signatures)
          if (signatures.length === 0) return <Empty title={t('none')}>{t('noneText')}</Empty>
          return <SignatureTable signatures={signatures} />
        }}
      </Loaded>
      <More list={list} />
    </Page>
  )
}

/** By the first part of a signature's subject. */
const subjects = {
  connection: 'connection',
  app_connection: 'consent',
  company_deletion: 'deletion',
} as const

function useNameSubject(): (signature: Signature) => string {
  const { t } = useTranslation('signatures')
  return ({ subject }) => {
    const kind = subjects[subject.split(':', 1)[0] as keyof typeof subjects]
    return kind === undefined ? subject : t(kind)
  }
}

function SignatureTable({ signatures }: { signatures: readonly Signature[] }) {
  const { t } = useTranslation('signatures')
  const [shown, setShown] = useState<Signature>()
  const columns = useColumns(setShown)
  return (
    <>
      <Card>
        <Table
          caption={t('title')}
          columns={columns}
          rows={signatures}
          rowKey={({ signature_id }) => signature_id}
          initialSort="-when"
          tall
        />
        {signatures.some(({ provider }) => provider === 'bankid') && (
          <Section>
            <p className="quiet">
              {t('verifiable')}{' '}
              <a href="/docs/electronic-identity#verify-what-was-signed">{t('howToVerify')}</a>
            </p>
          </Section>
        )}
      </Card>
      {shown !== undefined && (
        <Dialog title={t('text')} onClose={() => setShown(undefined)}>
          <SignedText text={shown.visible_text} />
        </Dialog>
      )}
    </>
  )
}

function useColumns(onShow: (signature: Signature) => void): Column<Signature>[] {
  const { t } = useTranslation('signatures')
  const format = useFormat()
  const nameSubject = useNameSubject()
  return [
    {
      key: 'subject',
      head: t('subject'),
      render: (signature) => (
        <>
          <b>{nameSubject(signature)}</b>
          {signature.company_name !== null && (
            <Second>
              <bdi>{signature.company_name}</bdi>
            </Second>
          )}
        </>
      ),
      compare: (a, b) => nameSubject(a).localeCompare(nameSubject(b)),
    },
    {
      key: 'when',
      head: t('when'),
      render: ({ signed_at }) => format.instant(signed_at),
      compare: (a, b) => a.signed_at.localeCompare(b.signed_at),
    },
    {
      key: 'identity',
      head: t('identity'),
      render: ({ member, provider }) => (
        <>
          {provider === 'demo' ? t('demo') : <span>{providerName(provider)}</span>}
          <Second>
            <bdi>{member.name}</bdi>
          </Second>
        </>
      ),
      wideOnly: true,
    },
    {
      key: 'hash',
      head: t('hash'),
      render: ({ record_sha256 }) => <CopyableId id={record_sha256} label={t('hash')} />,
      wideOnly: true,
    },
    {
      key: 'evidence',
      head: t('evidence'),
      render: (signature) => (
        <Evidence
          signature={signature}
          which={`${nameSubject(signature)}, ${format.instant(signature.signed_at)}`}
          onShow={() => onShow(signature)}
        />
      ),
    },
  ]
}

/** The signed text, and a file with all that proves it. */
function Evidence({
  signature: { signature_id },
  which,
  onShow,
}: {
  signature: Signature
  which: string
  onShow: () => void
}) {
  const { t } = useTranslation('signatures')
  const fetched = useMutation({
    mutationFn: () => callApi('GET /console/signatures/{signature_id}/evidence', { path: { signature_id } }),
    onSuccess: saveEvidence,
  })
  return (
    <>
      <Buttons>
        <Button small variant="quiet" onClick={onShow}>
          {t('show')}
          <span className="unseen">{`: ${which}`}</span>
        </Button>
        <Button
          small
          variant="quiet"
          icon="delivery"
          title={t('downloadText')}
          busy={fetched.isPending}
          onClick={() => fetched.mutate()}
        >
          {t('download')}
          <span className="unseen">{`: ${which}`}</span>
        </Button>
      </Buttons>
      {fetched.error && (
        <Failure error={fetched.error} title={t('failed')} onRetry={() => fetched.mutate()} />
      )}
    </>
  )
}
