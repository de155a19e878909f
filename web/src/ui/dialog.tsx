import { type ReactNode, type SyntheticEvent, useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from './button.tsx'
import classes from './dialog.module.css'
import { focusTitle } from './page-title.tsx'

/**
 * Lies over the page and holds the focus: the browser's own dialog. It is open for as long as it is rendered, and the focus
 * then goes back to what had it.
 *
 * @param onClose the person closed it: by its cross, by Escape, or by a button that calls this; without it, it stays
 * @param footer its buttons, the one that does it last
 * @param children the field that bears `data-autofocus` has the focus; otherwise the title has it
 */
export function Dialog({
  title,
  onClose,
  footer,
  children,
}: {
  title: ReactNode
  onClose?: (() => void) | undefined
  footer?: ReactNode
  children: ReactNode
}) {
  const { t } = useTranslation()
  const modal = useModal(onClose)
  const titleId = useId()
  return (
    <dialog {...modal} className={classes.dialog} aria-labelledby={titleId}>
      <div className={classes.head}>
        <h2 id={titleId} tabIndex={-1} className={classes.title}>
          {title}
        </h2>
        {onClose !== undefined && <IconButton icon="close" label={t('ui.close')} onClick={onClose} />}
      </div>
      <div className={classes.body}>{children}</div>
      {footer !== undefined && <div className={classes.foot}>{footer}</div>}
    </dialog>
  )
}

/** What lies over the page, from the bottom. */
const opened: HTMLDialogElement[] = []

/**
 * Opens a dialog when it comes. When it goes, what had the focus has it again, or the page's heading where that is gone. Escape closes the
 * one that lies on top, and no other: browsers close those together that they opened without a press of a key or button.
 *
 * @param onClose the person wants it closed; without it, it cannot be
 * @returns what the `<dialog>` must be given
 */
export function useModal(onClose?: () => void) {
  const ref = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = ref.current!
    const before = document.activeElement
    opened.push(dialog)
    dialog.showModal()
    // The browser gave it to the first button. What React knows as `autoFocus` had it when nothing was shown yet.
    const first =
      dialog.querySelector<HTMLElement>('[data-autofocus]') ??
      dialog.querySelector<HTMLElement>('h2[tabindex]')
    first?.focus()
    return () => {
      opened.splice(opened.indexOf(dialog), 1)
      dialog.close()
      if (before instanceof HTMLElement && before.isConnected) before.focus()
      else focusTitle()
    }
  }, [])

  return {
    ref,
    onCancel: (event: SyntheticEvent<HTMLDialogElement>) => {
      // A field for files says `cancel` too.
      if (event.target !== event.currentTarget) return
      // Rendered no more, it is closed; by itself it would stay in the page.
      event.preventDefault()
      if (opened.at(-1) === event.currentTarget) onClose?.()
    },
    onClose: ({ currentTarget: dialog }: SyntheticEvent<HTMLDialogElement>) => {
      // Without asking: where Escape is pressed a second time.
      if (dialog.open || !opened.includes(dialog)) return
      if (opened.at(-1) === dialog && onClose !== undefined) onClose()
      else reopen()
    },
  }
}

/** Opens all again, in their order. */
function reopen(): void {
  const focused = document.activeElement
  for (const dialog of opened) {
    dialog.close()
    dialog.showModal()
  }
  if (focused instanceof HTMLElement) focused.focus()
}
