import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { Connection } from '../../company/lists.ts'
import { useFormat } from '../../company/use-format.ts'
import { providerName } from '../../identity/order.ts'
import { isolate } from '../../language/isolate.ts'
import { useMember } from '../../session/member.ts'
import { Fact, Facts } from '../../ui/display/facts.tsx'
import { Stack } from '../../ui/layout/page.tsx'

/** What a connection may do and for whom: all that is fixed by its signature. */
export function FixedFacts({ connection }: { connection: Connection }) {
  const { t } = useTranslation('connections')
  const { permissions, source, company, further_companies, kind, credential_kind } = connection
  const name = source === null ? t('form.anySource') : <bdi>{source.name}</bdi>
  return (
    <>
      <Fact name={t('may')}>
        {permissions.map((permission) => (
          <div key={permission}>
            {t(permission === 'sources.ingest' ? 'fact.sendTo' : 'fact.readFrom')} <b>{name}</b>
          </div>
        ))}
      </Fact>
      <Fact name={t('fact.company')}>
        <bdi>{company.name}</bdi>, {company.orgnr}
      </Fact>
      {further_companies.length > 0 && (
        <Fact name={t('fact.further')}>
          {further_companies.map(({ company_id, name, orgnr }) => (
            <div key={company_id}>
              <bdi>{name}</bdi>, {orgnr}
            </div>
          ))}
        </Fact>
      )}
      <Fact name={t('fact.kind')}>{t(`fact.${kind}`, { credential: t(`fact.${credential_kind}`) })}</Fact>
    </>
  )
}

/** When and how it was signed, and when it ends. */
export function SignatureFacts({ connection }: { connection: Connection }) {
  const { t } = useTranslation('connections')
  const format = useFormat()
  const { signed_at, signed_with, expires_at, created_by, state } = connection
  return (
    <>
      {signed_at !== null && (
        <Fact name={t('fact.signed')}>
          {signed_with === null || created_by?.name == null
            ? format.instant(signed_at)
            : t('fact.signedWith', {
                when: format.instant(signed_at),
                name: isolate(created_by.name),
                identity: signed_with === 'demo' ? t('fact.demoIdentity') : providerName(signed_with),
              })}
        </Fact>
      )}
      {expires_at !== null && state !== 'revoked' && (
        <Fact name={t(state === 'expired' ? 'fact.ended' : 'fact.ends')}>
          {format.instantDay(expires_at)}
        </Fact>
      )}
    </>
  )
}

/** Below the secret that a signature created. */
export function WhatIsSigned({ connection }: { connection: Connection }) {
  const { t } = useTranslation('connections')
  return (
    <Stack>
      <h2>{t('signedWhat')}</h2>
      <Facts>
        <FixedFacts connection={connection} />
        <SignatureFacts connection={connection} />
        <Fact name="">
          <Link to="/signatures">{t('fact.yourSignatures')}</Link>
        </Fact>
      </Facts>
    </Stack>
  )
}

/** Whether the signature is on the member's own page. */
export function useIsOwnSignature({ created_by, signature_id }: Connection): boolean {
  const { member_id } = useMember()
  return signature_id !== null && created_by?.member_id === member_id
}
