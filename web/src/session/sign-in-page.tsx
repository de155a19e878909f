import { useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { SignIn } from './sign-in.tsx'
import { SignInGate } from './sign-in-gate.tsx'
import { SignedOutLinks } from './signed-out-links.tsx'
import { useSession } from './use-session.ts'

/** Signing in without a particular page in mind (`/sign-in`). It then opens the member's companies. */
export function SignInPage() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const isSignedIn = useSession().data?.session != null
  useEffect(() => {
    if (isSignedIn) void navigate({ to: '/', replace: true })
  }, [isSignedIn, navigate])
  return (
    <SignInGate footer={<SignedOutLinks />}>
      {(ended) => <SignIn intro={t('signIn.intro')} ended={ended} />}
    </SignInGate>
  )
}
