import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { isolate } from '../language/isolate.ts'
import { useSignIn } from '../session/sign-in.tsx'
import { Button } from '../ui/button.tsx'
import { useModal } from '../ui/dialog.tsx'
import { Note } from '../ui/note.tsx'
import classes from './sign-in-over.module.css'

/**
 * Signing in again over a page, which stays below as it is, with what was typed. Where its session ended it cannot be
 * closed, since nothing below works without one. Escape gives up what was begun.
 *
 * @param again the session has not ended, but what the person is doing needs a recent sign-in
 */
export function SignInOver({
  again,
}: {
  again?: {
    /** Who must sign in. */
    name: string | null
    onGiveUp: () => void
  }
}) {
  const { t } = useTranslation()
  const intro =
    again === undefined
      ? t('signIn.intro')
      : again.name === null
        ? t('signInAgain.intro')
        : t('signInAgain.introAs', { name: isolate(again.name) })
  const { steps, title, step, cancel } = useSignIn(intro, true)
  const modal = useModal(cancel ?? again?.onGiveUp)
  const titleId = useId()
  useEffect(() => {
    // Browsers close it without asking where Escape is pressed twice.
    const dialog = modal.ref.current!
    if (!dialog.open) dialog.showModal()
  })
  return (
    <dialog {...modal} className={classes.dialog} aria-labelledby={titleId}>
      <Title key={step} id={titleId}>
        {again === undefined || step === 'identify' ? title : t('signInAgain.title')}
      </Title>
      {again === undefined ? (
        <Note role="status">
          {t('session.ended')} {t('session.kept')}
        </Note>
      ) : (
        <Note role="status">{t('signInAgain.why')}</Note>
      )}
      {steps}
      {again !== undefined && step === 'begin' && (
        <Button wide onClick={again.onGiveUp}>
          {t('ui.cancel')}
        </Button>
      )}
    </dialog>
  )
}

/** Has the focus when it comes. */
function Title({ id, children }: { id: string; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <h2 ref={heading} id={id} tabIndex={-1} className={classes.title}>
      {children}
    </h2>
  )
}
