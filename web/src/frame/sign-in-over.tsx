import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useSignIn } from '../session/sign-in.tsx'
import { useModal } from '../ui/dialog.tsx'
import { Note } from '../ui/note.tsx'
import classes from './sign-in-over.module.css'

/**
 * Signing in again over a page whose session ended: the page stays below as it is, with what was typed. It cannot be
 * closed, since nothing below works without a session; Escape gives up what was begun.
 */
export function SignInOver() {
  const { t } = useTranslation()
  const { steps, title, step, cancel } = useSignIn(t('signIn.intro'), true)
  const modal = useModal(cancel)
  const titleId = useId()
  useEffect(() => {
    // Browsers close it without asking where Escape is pressed twice.
    const dialog = modal.ref.current!
    if (!dialog.open) dialog.showModal()
  })
  return (
    <dialog {...modal} className={classes.dialog} aria-labelledby={titleId}>
      <Title key={step} id={titleId}>
        {title}
      </Title>
      <Note role="status">
        {t('session.ended')} {t('session.kept')}
      </Note>
      {steps}
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
