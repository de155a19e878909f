import { useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../api/call-api.ts'
import { useFormat } from '../company/use-format.ts'
import { providerName } from '../identity/order.ts'
import { SignedText } from '../identity/signed-text.tsx'
import { addTexts } from '../language/language.ts'
import { en } from '../language/signatures.en.ts'
import { sv } from '../language/signatures.sv.ts'
import { useMember } from '../session/member.ts'
import { Button, Buttons } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { CopyableId } from '../ui/copy.tsx'
import { download } from '../ui/download.ts'
import { Empty } from '../ui/empty-start.tsx'
import { Fact, Facts } from '../ui/facts.tsx'
import { Failure } from '../ui/failure.tsx'
import { Loaded, More } from '../ui/loaded.tsx'
import { Page } from '../ui/page.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { Section } from '../ui/section.tsx'
import { evidenceFile, evidenceName, type Signature } from './evidence.ts'
import classes from './signatures-page.module.css'

addTexts('signatures', { en, sv })

/** What the member has signed (`/signatures`). */
export function SignaturesPage() {
  const { t } = useTranslation('signatures')
  const { member_id } = useMember()
  const list = useInfiniteQuery({
    queryKey: ['signatures', member_id],
    queryFn: ({ pageParam: cursor }) =>
      callApi('GET /console/signatures', { query: cursor === '' ? {} : { cursor } }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
  })
  return (
    <Page width="form">
      <PageHead title={t('title')} line={t('intro')} />
      <Loaded query={list}>
        {({ pages }) => {
          const signatures = pages.flatMap(({ signatures }) => signatures)
          if (signatures.length === 0) return <Empty title={t('none')}>{t('noneText')}</Empty>
          return (
            <ul className={classes.list}>
              {signatures.map((signature) => (
                <li key={signature.signature_id}>
                  <SignatureCard signature={signature} />
                </li>
              ))}
            </ul>
          )
        }}
      </Loaded>
      <More list={list} />
    </Page>
  )
}

/** What a signature is about, by the first word of its subject. */
const subjects = { connection: 'connection', app_connection: 'consent' } as const

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
    onSuccess: (evidence) => download(evidenceFile(evidence), evidenceName(evidence)),
  })
  const which = (
    <span className="unseen">
      : {subject}, {format.instant(signed_at)}
    </span>
  )
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
        {provider === 'bankid' && <HowToVerify />}
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

function HowToVerify() {
  const { t } = useTranslation('signatures')
  return (
    <p className="quiet">
      {t('verifiable')} <a href="/docs/electronic-identity#verify-what-was-signed">{t('howToVerify')}</a>
    </p>
  )
}
