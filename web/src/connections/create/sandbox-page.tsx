import { useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { callApi } from '../../api/call-api.ts'
import { type Company, may } from '../../company/company.ts'
import { companyKey, type Connection, connectionsQuery } from '../../company/lists.ts'
import { en } from '../../language/en/connections.ts'
import { sv } from '../../language/sv/connections.ts'
import { isolate } from '../../language/isolate.ts'
import { addTexts } from '../../language/language.ts'
import { useMember } from '../../session/member.ts'
import { Below } from '../../ui/layout/below.tsx'
import { Button, Buttons } from '../../ui/controls/button.tsx'
import { ButtonLink } from '../../ui/controls/button-link.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { SecretField } from '../../ui/display/copy.tsx'
import { Empty } from '../../ui/feedback/empty-start.tsx'
import { Failure } from '../../ui/feedback/failure.tsx'
import { Loaded } from '../../ui/feedback/loaded.tsx'
import { Note } from '../../ui/feedback/note.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { PageHead } from '../../ui/layout/page-head.tsx'
import { Section } from '../../ui/layout/section.tsx'
import { handOver, isForReference, rememberReference } from '../hand-over.ts'
import classes from './sandbox-page.module.css'

addTexts('connections', { en, sv })

/** How long a connection's previous credential keeps working. */
const overlapHours = 24

/** Choosing or creating a sandbox connection for the API reference, which opens this page (`/sandbox-connection`). */
export function SandboxPage() {
  const { t } = useTranslation('connections')
  const companies = useMember().companies.filter(({ role }) => may(role, 'developer'))
  useState(() => rememberReference(location.hash))
  const lists = useQueries({ queries: companies.map(({ company_id }) => connectionsQuery(company_id)) })
  return (
    <Page width="form">
      <PageHead title={t('reference.title')} line={t('reference.line')} />
      {companies.length === 0 ? (
        <Empty title={t('reference.noCompany')}>{t('reference.noCompanyText')}</Empty>
      ) : (
        <Below isReady={lists.every(({ isPending }) => !isPending)}>
          {companies.map((company) => (
            <CompanyCard key={company.company_id} company={company} />
          ))}
        </Below>
      )}
    </Page>
  )
}

function CompanyCard({ company: { company_id, name } }: { company: Company }) {
  const { t } = useTranslation('connections')
  const connections = useQuery(connectionsQuery(company_id))
  return (
    <Card>
      <Section title={<bdi>{name}</bdi>}>
        <Loaded query={connections}>
          {(list) => {
            const usable = list.filter((one) => isUsable(one, company_id))
            return usable.length === 0 ? (
              <p>{t('reference.none')}</p>
            ) : (
              <ul className={classes.list}>
                {usable.map((one) => (
                  <Choice key={one.connection_id} companyId={company_id} connection={one} />
                ))}
              </ul>
            )
          }}
        </Loaded>
        <Buttons>
          <ButtonLink
            to="/companies/$companyId/connections/new"
            params={{ companyId: company_id }}
            search={{ kind: 'sandbox', from: 'reference' }}
            icon="plus"
          >
            {t('reference.create')}
          </ButtonLink>
        </Buttons>
      </Section>
    </Card>
  )
}

/** The reference sends a credential as it is, and exchanges none for a token. */
function isUsable({ kind, credential_kind, state, company }: Connection, companyId: string): boolean {
  return (
    kind === 'sandbox' &&
    credential_kind === 'static' &&
    state === 'signed' &&
    company.company_id === companyId
  )
}

function Choice({ companyId, connection }: { companyId: string; connection: Connection }) {
  const { t } = useTranslation('connections')
  const { csrf_token } = useMember()
  const client = useQueryClient()
  const { connection_id, name, source } = connection
  const use = useMutation({
    mutationFn: async () => {
      const { credential } = await callApi(
        'POST /console/companies/{company_id}/connections/{connection_id}/rotate',
        { path: { company_id: companyId, connection_id }, body: { overlap_hours: overlapHours } },
        csrf_token,
      )
      void client.invalidateQueries({ queryKey: companyKey(companyId, 'connections') })
      return { credential, isReceived: isForReference() && (await handOver(credential)) }
    },
    onSuccess: ({ isReceived }) => {
      if (isReceived) close()
    },
  })
  return (
    <li>
      <span>
        <bdi>{name}</bdi> <span className="small">{source === null ? t('anySource') : source.name}</span>
      </span>
      {use.data === undefined && (
        <Button small busy={use.isPending} onClick={() => use.mutate()}>
          {t('reference.use', { name: isolate(name) })}
        </Button>
      )}
      {use.error && <Failure error={use.error} />}
      {use.data && <Note role="status">{t(use.data.isReceived ? 'reference.taken' : 'reference.left')}</Note>}
      {use.data?.isReceived === false && (
        <SecretField label={t('once.credential')} value={use.data.credential} />
      )}
    </li>
  )
}
