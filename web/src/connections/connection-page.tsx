import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { callApi } from '../api/call-api.ts'
import { useCompany } from '../company/company.ts'
import { companyKey, type Connection } from '../company/lists.ts'
import { en } from '../language/en/connections.ts'
import { sv } from '../language/sv/connections.ts'
import { addTexts } from '../language/language.ts'
import { Loaded } from '../ui/feedback/loaded.tsx'
import { Page } from '../ui/layout/page.tsx'
import { PageHead } from '../ui/layout/page-head.tsx'
import { ConnectionPath } from './connection-path.tsx'
import { OneConnection } from './one-connection.tsx'
import { ShownOnce } from './shown-once.tsx'
import { useNextStep } from './signing/next-step.ts'
import { SignConnection } from './signing/sign-connection.tsx'

addTexts('connections', { en, sv })

const route = getRouteApi('/frame/companies/$companyId/connections/$connectionId')

/** One connection (`/companies/{id}/connections/{id}`). */
export function ConnectionPage() {
  const { t } = useTranslation('connections')
  const { company_id } = useCompany()
  const { connectionId: connection_id } = route.useParams()
  const query = useQuery({
    queryKey: companyKey(company_id, 'connections', connection_id),
    queryFn: () =>
      callApi('GET /console/companies/{company_id}/connections/{connection_id}', {
        path: { company_id, connection_id },
      }),
  })
  return (
    <Page key={connection_id} width="form">
      {query.data === undefined && <PageHead title={t('connection')} path={<ConnectionPath name="…" />} />}
      <Loaded query={query}>{(connection) => <CurrentStep connection={connection} />}</Loaded>
    </Page>
  )
}

/** A secret that is shown once comes first, then a text that is being signed. */
function CurrentStep({ connection }: { connection: Connection }) {
  const client = useQueryClient()
  const { company_id } = useCompany()
  const [step, setStep] = useNextStep(connection.connection_id)

  function onChanged(changed?: Connection): void {
    if (changed !== undefined) {
      client.setQueryData(companyKey(company_id, 'connections', changed.connection_id), changed)
    }
    // The list too.
    void client.invalidateQueries({ queryKey: companyKey(company_id, 'connections') })
  }

  if (step.secret !== undefined) {
    return <ShownOnce connection={connection} secret={step.secret} onDone={setStep} />
  }
  if (step.signing !== undefined) {
    return (
      <SignConnection
        connection={connection}
        signing={step.signing}
        onEnd={(next, changed) => {
          if (changed !== undefined) onChanged(changed)
          setStep(next)
        }}
      />
    )
  }
  return <OneConnection connection={connection} step={step} onStep={setStep} onChanged={onChanged} />
}
