import { useBlocker } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../controls/button.tsx'
import { Dialog } from './dialog.tsx'

/**
 * Asks before the person leaves a page with unsaved changes. When the tab is closed, the browser asks in its own words.
 * Another tab, step or filter of the same page does not count as leaving.
 *
 * @returns the question, to be rendered anywhere in the form
 */
export function useUnsavedGuard(isDirty: boolean): ReactNode {
  const { t } = useTranslation()
  return useLeaveGuard(isDirty, { title: t('ui.unsaved.title'), text: t('ui.unsaved.text') })
}

/** The same for anything that leaving the page would lose, with its own title and text. */
export function useLeaveGuard(isOn: boolean, { title, text }: { title: string; text: string }): ReactNode {
  const { t } = useTranslation()
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isOn && current.pathname !== next.pathname,
    enableBeforeUnload: isOn,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <Dialog
      title={title}
      onClose={blocker.reset}
      footer={
        <>
          <Button onClick={blocker.proceed}>{t('ui.unsaved.leave')}</Button>
          <Button variant="primary" onClick={blocker.reset}>
            {t('ui.unsaved.stay')}
          </Button>
        </>
      }
    >
      <p>{text}</p>
    </Dialog>
  )
}
