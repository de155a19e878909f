import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ask } from '../api/ask.ts'
import { dropSession, type Session } from './use-session.ts'
import classes from './who.module.css'

/**
 * Who is signed in, and the way out.
 *
 * @param doubt asks whether it is them, where it matters that it is
 */
export const Who = ({ session, doubt = false }: { session: Session; doubt?: boolean }) => {
  const { t } = useTranslation()
  const client = useQueryClient()
  const signOut = useMutation({
    mutationFn: () => ask('POST /console/sign-out', { body: {} }),
    onSuccess: () => dropSession(client),
  })
  return (
    <p className={classes.who}>
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
        {t(doubt ? 'session.notYou' : 'session.signOut')}
      </Button>
    </p>
  )
}
