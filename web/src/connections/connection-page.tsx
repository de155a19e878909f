import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { callApi } from '../api/call-api.ts'
import { useCompany } from '../company/company.ts'
import { companyKey, type Connection } from '../company/lists.ts'
import { en } from '../language/connections.en.ts'
import { sv } from '../language/connections.sv.ts'
import { addTexts } from '../language/language.ts'
import { Loaded } from '../ui/loaded.tsx'
import { Page } from '../ui/page.tsx'
import { PageHead } from '../ui/page-head.tsx'
import { ConnectionPath } from './connection-path.tsx'
import { useInHand } from './in-hand.ts'
import { OneConnection } from './one-connection.tsx'
import { ShownOnce } from './shown-once.tsx'
import { SignConnection } from './sign-connection.tsx'

addTexts('connections', { en, sv })

const route = getRouteApi('/frame/companies/$companyId/connections/$connectionId')

/** One connection (`/companies/{id}/connections/{id}`). */
export function ConnectionPage() {
  const { connectionId } = route.useParams()
  return <ConnectionOf key={connectionId} connectionId={connectionId} />
}

function ConnectionOf({ connectionId }: { connectionId: string }) {
  const { t } = useTranslation('connections')
  const { company_id } = useCompany()
  const query = useQuery({
    queryKey: companyKey(company_id, 'connections', connectionId),
    queryFn: () =>
      callApi('GET /console/companies/{company_id}/connections/{connection_id}', {
        path: { company_id, connection_id: connectionId },
      }),
  })
  return (
    <Page width="form">
      {query.data === undefined && <PageHead title={t('connection')} path={<ConnectionPath name="…" />} />}
      <Loaded query={query}>{(connection) => <Step connection={connection} />}</Loaded>
    </Page>
  )
}

/** What is shown once goes before all else; then what waits to be signed. */
function Step({ connection }: { connection: Connection }) {
  const client = useQueryClient()
  const { company_id } = useCompany()
  const [inHand, setInHand] = useInHand(connection.connection_id)
  const { secret, signing } = inHand

  function onChanged(changed?: Connection): void {
    if (changed !== undefined) {
      client.setQueryData(companyKey(company_id, 'connections', changed.connection_id), changed)
    }
    // The list too.
    void client.invalidateQueries({ queryKey: companyKey(company_id, 'connections') })
  }

  if (secret !== undefined) {
    return <ShownOnce connection={connection} secret={secret} onDone={(next) => setInHand(next)} />
  }
  if (signing !== undefined) {
    return (
      <SignConnection
        connection={connection}
        signing={signing}
        onEnd={(next, changed) => {
          if (changed !== undefined) onChanged(changed)
          setInHand(next)
        }}
      />
    )
  }
  return <OneConnection connection={connection} inHand={inHand} onInHand={setInHand} onChanged={onChanged} />
}
