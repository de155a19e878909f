import { useTranslation } from 'react-i18next'
import { Button } from '../ui/controls/button.tsx'
import { Failure } from '../ui/feedback/failure.tsx'
import classes from './signed-in-as.module.css'
import type { Session } from './use-session.ts'
import { useSignOut } from './use-sign-out.ts'

/** Who is signed in, and "Not you?", since signing as another person has consequences. */
export function SignedInAs({ session }: { session: Session }) {
  const { t } = useTranslation()
  const signOut = useSignOut(session.csrf_token)
  return (
    <>
      <p className={`quiet ${classes.line}`}>
        {session.name === null ? (
          t('session.nameless')
        ) : (
          <span>
            {t('session.signedInAs')} <bdi>{session.name}</bdi>
          </span>
        )}
        <Button variant="quiet" small busy={signOut.isPending} onClick={() => signOut.mutate()}>
          {t('session.notYou')}
        </Button>
      </p>
      {signOut.error && <Failure error={signOut.error} />}
    </>
  )
}
