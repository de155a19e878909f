import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { isolate } from '../language/isolate.ts'
import { useSignIn } from '../session/sign-in.tsx'
import { Button } from '../ui/controls/button.tsx'
import { useModal } from '../ui/overlays/dialog.tsx'
import { Note } from '../ui/feedback/note.tsx'
import classes from './sign-in-over.module.css'

/**
 * Signing in again over a page, which keeps what was typed. Where the session has ended it cannot be closed, since nothing
 * below works without one. Escape cancels a sign-in that was started.
 *
 * @param props.again the session has not ended, but the action needs a recent sign-in by this person
 */
export function SignInOver({ again }: { again?: { name: string | null; onGiveUp: () => void } }) {
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
    // A second Escape makes browsers close it without an event.
    const dialog = modal.ref.current!
    if (!dialog.open) dialog.showModal()
  })
  return (
    <dialog {...modal} className={classes.dialog} aria-labelledby={titleId}>
      <Title key={step} id={titleId}>
        {again === undefined || step === 'identify' ? title : t('signInAgain.title')}
      </Title>
      <Note role="status">
        {again === undefined ? `${t('session.ended')} ${t('session.kept')}` : t('signInAgain.why')}
      </Note>
      {steps}
      {again !== undefined && step === 'begin' && (
        <Button wide onClick={again.onGiveUp}>
          {t('ui.cancel')}
        </Button>
      )}
    </dialog>
  )
}

/** Takes the focus when it appears. */
function Title({ id, children }: { id: string; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <h2 ref={heading} id={id} tabIndex={-1}>
      {children}
    </h2>
  )
}
