import { useBlocker } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'

/**
 * Asks before an edit that is not saved is left: by a link, by going back, or by closing the tab, where the browser asks in
 * its own words. Another tab, step or filter of the same page leaves nothing.
 *
 * @param isDirty whether there is something to lose
 * @returns the question, to be rendered anywhere in the form
 */
export function useUnsavedGuard(isDirty: boolean): ReactNode {
  const { t } = useTranslation()
  return useLeaveGuard(isDirty, { title: t('ui.unsaved.title'), text: t('ui.unsaved.text') })
}

/**
 * The same of anything that is lost when the page is left, in words of its own.
 *
 * @param isOn whether to ask
 */
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
