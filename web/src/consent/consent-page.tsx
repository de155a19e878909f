import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ask } from '../api/ask.ts'
import { AskError } from '../api/ask-error.ts'
import { Card, Section } from '../page/card.tsx'
import { Failure } from '../page/failure.tsx'
import { Frame } from '../page/frame.tsx'
import { Loading } from '../page/loading.tsx'
import { PageTitle } from '../page/page-title.tsx'
import { SignIn } from '../session/sign-in.tsx'
import { useIsOtherSession } from '../session/use-is-other-session.ts'
import { type Session, useSession } from '../session/use-session.ts'
import { Who } from '../session/who.tsx'
import { Consent } from './consent.tsx'
import { Leaving } from './leaving.tsx'

/** The request as the app sent the browser here with it. The service reads it again with each call. */
const query = location.search.slice(1)

/** A request that the service takes from nobody: the browser came here by another way than its first check. */
const WrongRequest = () => {
  const { t } = useTranslation()
  return (
    <Card>
      <Section>
        <PageTitle tab={t('consent.wrong')}>{t('consent.wrong')}</PageTitle>
        <p>{t('consent.wrongText')}</p>
      </Section>
    </Card>
  )
}

const Asked = ({ session }: { session: Session }) => {
  // Asked once for each session: where there is nothing to consent to, the answer holds a code.
  const request = useQuery({
    queryKey: ['authorize', session.csrf_token],
    queryFn: () => ask('POST /console/authorize', { body: { query } }, session.csrf_token),
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    refetchOnReconnect: false,
  })
  if (request.isPending) return <Loading />
  if (request.isError) {
    const wrong = request.error instanceof AskError && [400, 404].includes(request.error.status)
    return wrong ? <WrongRequest /> : <Failure error={request.error} onAgain={() => void request.refetch()} />
  }
  if (request.data.state === 'redirect') return <Leaving location={request.data.location} />
  return <Consent request={request.data} query={query} csrfToken={session.csrf_token} />
}

/** Where an app sends a member to be allowed something (`/oauth/authorize`). */
export const ConsentPage = () => {
  const { t } = useTranslation()
  const { data, error, refetch } = useSession()
  const isOther = useIsOtherSession(data)
  if (data === undefined) {
    return (
      <Frame>{error === null ? <Loading /> : <Failure error={error} onAgain={() => void refetch()} />}</Frame>
    )
  }
  if (data.session === null) {
    return (
      <Frame>
        <SignIn intro={t('signIn.forConsent')} ended={data.ended} />
      </Frame>
    )
  }
  return (
    <Frame who={<Who session={data.session} doubt />}>
      {isOther && <Alert color="yellow">{t('failure.changed')}</Alert>}
      <Asked key={data.session.csrf_token} session={data.session} />
    </Frame>
  )
}
