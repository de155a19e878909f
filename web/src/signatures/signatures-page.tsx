import { useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
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
import { Card, CardList } from '../ui/layout/card.tsx'
import { CopyableId } from '../ui/display/copy.tsx'
import { download } from '../ui/download.ts'
import { Empty } from '../ui/feedback/empty-start.tsx'
import { Fact, Facts } from '../ui/display/facts.tsx'
import { Failure } from '../ui/feedback/failure.tsx'
import { Loaded, More } from '../ui/feedback/loaded.tsx'
import { Page } from '../ui/layout/page.tsx'
import { PageHead } from '../ui/layout/page-head.tsx'
import { Section } from '../ui/layout/section.tsx'

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
    <Page width="form">
      <PageHead title={t('title')} line={t('intro')} />
      <Loaded query={list}>
        {({ pages }) => {
          const signatures = pages.flatMap(({ signatures }) => signatures)
          if (signatures.length === 0) return <Empty title={t('none')}>{t('noneText')}</Empty>
          return (
            <CardList>
              {signatures.map((signature) => (
                <SignatureCard key={signature.signature_id} signature={signature} />
              ))}
            </CardList>
          )
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

function useSubject({ subject }: Signature): string {
  const { t } = useTranslation('signatures')
  const kind = subjects[subject.split(':', 1)[0] as keyof typeof subjects]
  return kind === undefined ? subject : t(kind)
}

function SignatureCard({ signature }: { signature: Signature }) {
  const { t } = useTranslation('signatures')
  const format = useFormat()
  const [isShown, setShown] = useState(false)
  const textId = useId()
  const subject = useSubject(signature)
  const { company_name, member, provider, record_sha256, signature_id, signed_at, visible_text } = signature
  const fetched = useMutation({
    mutationFn: () => callApi('GET /console/signatures/{signature_id}/evidence', { path: { signature_id } }),
    onSuccess: saveEvidence,
  })
  const which = <span className="unseen">{`: ${subject}, ${format.instant(signed_at)}`}</span>
  return (
    <Card>
      <Section title={subject}>
        <Facts>
          <Fact name={t('when')}>{format.instant(signed_at)}</Fact>
          <Fact name={t('by')}>
            <bdi>{member.name}</bdi>
          </Fact>
          {company_name !== null && (
            <Fact name={t('company')}>
              <bdi>{company_name}</bdi>
            </Fact>
          )}
          <Fact name={t('identity')}>{provider === 'demo' ? t('demo') : providerName(provider)}</Fact>
          <Fact name={t('hash')}>
            <CopyableId id={record_sha256} label={t('hash')} />
          </Fact>
        </Facts>
        <Buttons>
          <Button
            aria-expanded={isShown}
            aria-controls={isShown ? textId : undefined}
            onClick={() => setShown(!isShown)}
          >
            {t(isShown ? 'hide' : 'show')}
            {which}
          </Button>
          <Button
            icon="delivery"
            title={t('downloadText')}
            busy={fetched.isPending}
            onClick={() => fetched.mutate()}
          >
            {t('download')}
            {which}
          </Button>
        </Buttons>
        {provider === 'bankid' && (
          <p className="quiet">
            {t('verifiable')}{' '}
            <a href="/docs/electronic-identity#verify-what-was-signed">{t('howToVerify')}</a>
          </p>
        )}
        {fetched.error && (
          <Failure error={fetched.error} title={t('failed')} onRetry={() => fetched.mutate()} />
        )}
      </Section>
      {isShown && (
        <Section id={textId} title={t('text')}>
          <SignedText text={visible_text} />
        </Section>
      )}
    </Card>
  )
}
