import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { callApi } from '../api/call-api.ts'
import classes from './signed-in-as.module.css'
import { clearSession, type Session } from './use-session.ts'

/**
 * Who is signed in, and the button to sign out.
 *
 * @param asksWhether asks "Not you?", where signing as someone else would matter
 */
export function SignedInAs({ session, asksWhether }: { session: Session; asksWhether: boolean }) {
  const { t } = useTranslation()
  const client = useQueryClient()
  const signOut = useMutation({
    mutationFn: () => callApi('POST /console/sign-out', { body: {} }, session.csrf_token),
    onSuccess: () => clearSession(client),
  })
  return (
    <p className={classes.line}>
      {session.name === null ? (
        t('session.nameless')
      ) : (
        <span>
          {t('session.signedInAs')} <bdi className={classes.name}>{session.name}</bdi>
        </span>
      )}
      <Button
        variant="subtle"
        size="compact-sm"
        disabled={signOut.isPending}
        onClick={() => signOut.mutate()}
      >
        {t(asksWhether ? 'session.notYou' : 'session.signOut')}
      </Button>
    </p>
  )
}
