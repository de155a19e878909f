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
  const blocker = useBlocker({
    shouldBlockFn: ({ current, next }) => isDirty && current.pathname !== next.pathname,
    enableBeforeUnload: isDirty,
    withResolver: true,
  })
  if (blocker.status !== 'blocked') return null
  return (
    <Dialog
      title={t('ui.unsaved.title')}
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
      <p>{t('ui.unsaved.text')}</p>
    </Dialog>
  )
}
