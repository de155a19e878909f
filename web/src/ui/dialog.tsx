import { type ReactNode, useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from './button.tsx'
import classes from './dialog.module.css'

/**
 * Lies over the page and holds the focus: the browser's own dialog. It is open for as long as it is rendered, and the focus
 * then goes back to what had it.
 *
 * @param onClose the person closed it: by its cross, by Escape, or by a button that calls this
 * @param footer its buttons, the one that does it last
 * @param children the first field has the focus where it bears `autoFocus`; the title has it otherwise
 */
export function Dialog({
  title,
  onClose,
  footer,
  children,
}: {
  title: ReactNode
  onClose: () => void
  footer?: ReactNode
  children: ReactNode
}) {
  const { t } = useTranslation()
  const dialog = useModal()
  const titleId = useId()
  return (
    <dialog
      ref={dialog}
      className={classes.dialog}
      aria-labelledby={titleId}
      onCancel={(event) => {
        // Rendered no more, it is closed; by itself it would stay in the page.
        event.preventDefault()
        onClose()
      }}
    >
      <div className={classes.head}>
        <h2 id={titleId} tabIndex={-1} className={classes.title}>
          {title}
        </h2>
        <IconButton icon="close" label={t('ui.close')} onClick={onClose} />
      </div>
      <div className={classes.body}>{children}</div>
      {footer !== undefined && <div className={classes.foot}>{footer}</div>}
    </dialog>
  )
}

/** Opens a dialog when it comes. When it goes, what had the focus has it again, if it is still there. */
export function useModal() {
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const element = dialog.current!
    const before = document.activeElement
    // React has given the focus to `autoFocus` already, which opening would take to the first button.
    const wanted = element.contains(before) ? before : element.querySelector('h2')
    element.showModal()
    if (wanted instanceof HTMLElement) wanted.focus()
    return () => {
      element.close()
      if (before instanceof HTMLElement && before.isConnected && !element.contains(before)) before.focus()
    }
  }, [])
  return dialog
}
