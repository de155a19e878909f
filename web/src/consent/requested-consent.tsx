import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../api/api-error.ts'
import { callApi } from '../api/call-api.ts'
import type { Session } from '../session/use-session.ts'
import { Failure } from '../ui/feedback/failure.tsx'
import { Loading } from '../ui/feedback/skeleton.tsx'
import { Card } from '../ui/layout/card.tsx'
import { PageTitle } from '../ui/layout/page-title.tsx'
import { Section } from '../ui/layout/section.tsx'
import { Consent } from './consent.tsx'
import { OnlyDeny } from './only-deny.tsx'
import { Redirecting } from './redirecting.tsx'

/** The app's request, unchanged. The service checks it with each call. */
const query = location.search.slice(1)

/** Reads what the app requests, and shows it. */
export function RequestedConsent({ session }: { session: Session }) {
  // Once per session: where consent is not needed, the response contains an authorization code.
  const request = useQuery({
    queryKey: ['authorize', session.csrf_token],
    queryFn: () => callApi('POST /console/authorize', { body: { query } }, session.csrf_token),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    refetchOnReconnect: false,
  })
  if (request.isPending) return <Loading />
  if (request.isError) {
    const isInvalid = request.error instanceof ApiError && [400, 404].includes(request.error.status)
    if (isInvalid) return <InvalidRequest />
    return <Failure error={request.error} onRetry={() => void request.refetch()} />
  }
  if (request.data.state === 'redirect') return <Redirecting location={request.data.location} />
  if (!session.identity.signs) {
    return <OnlyDeny request={request.data} query={query} csrfToken={session.csrf_token} />
  }
  return <Consent request={request.data} query={query} session={session} />
}

/** The service rejects such a request before it serves this page, so the browser came here some other way. */
function InvalidRequest() {
  const { t } = useTranslation('consent')
  return (
    <Card>
      <Section>
        <PageTitle tab={t('wrong')}>{t('wrong')}</PageTitle>
        <p>{t('wrongText')}</p>
      </Section>
    </Card>
  )
}
