import { useTranslation } from 'react-i18next'
import { Button } from '../ui/button.tsx'
import { Failure } from '../ui/failure.tsx'
import classes from './signed-in-as.module.css'
import type { Session } from './use-session.ts'
import { useSignOut } from './use-sign-out.ts'

/**
 * Who is signed in, and the button to sign out.
 *
 * @param asksWhether asks "Not you?", where signing as someone else would matter
 */
export function SignedInAs({ session, asksWhether }: { session: Session; asksWhether: boolean }) {
  const { t } = useTranslation()
  const signOut = useSignOut(session.csrf_token)
  return (
    <>
      <p className={classes.line}>
        {session.name === null ? (
          t('session.nameless')
        ) : (
          <span>
            {t('session.signedInAs')} <bdi className={classes.name}>{session.name}</bdi>
          </span>
        )}
        <Button variant="quiet" small busy={signOut.isPending} onClick={() => signOut.mutate()}>
          {t(asksWhether ? 'session.notYou' : 'session.signOut')}
        </Button>
      </p>
      {signOut.error && <Failure error={signOut.error} />}
    </>
  )
}
