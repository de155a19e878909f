import { type ReactNode, type SyntheticEvent, useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { IconButton } from '../controls/button.tsx'
import classes from './dialog.module.css'
import { focusTitle } from '../layout/page-title.tsx'

/**
 * A modal dialog, open while it is rendered. Focus starts on the field with `data-autofocus`, or else on the title, and
 * returns to where it was.
 *
 * @param props.onClose called by its close button and by Escape; without it, the dialog cannot be closed
 * @param props.footer its buttons, the main action last
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
  const modal = useModal(onClose)
  const titleId = useId()
  return (
    <dialog {...modal} className={classes.dialog} aria-labelledby={titleId}>
      <DialogHead titleId={titleId} title={title} onClose={onClose} />
      <div className={classes.body}>{children}</div>
      {footer !== undefined && <div className={classes.foot}>{footer}</div>}
    </dialog>
  )
}

/** @param props.over above the title; `line`: below it */
export function DialogHead({
  titleId,
  over,
  title,
  line,
  onClose,
}: {
  titleId: string
  over?: ReactNode
  title: ReactNode
  line?: ReactNode
  onClose: (() => void) | undefined
}) {
  const { t } = useTranslation()
  return (
    <div className={classes.head}>
      <div>
        {over !== undefined && <p className="small">{over}</p>}
        <h2 id={titleId} tabIndex={-1}>
          {title}
        </h2>
        {line !== undefined && <p className="small">{line}</p>}
      </div>
      {onClose !== undefined && <IconButton icon="close" label={t('ui.close')} onClick={onClose} />}
    </div>
  )
}

/** The open dialogs, the topmost last. */
const opened: HTMLDialogElement[] = []

/**
 * Opens a `<dialog>` while it is rendered. Focus then returns to where it was, or to the page's heading where that element is
 * gone. Escape closes only the topmost dialog: browsers also close those below it that were opened without a press.
 *
 * @param onClose the person wants to close it; without it, they cannot
 * @returns props for the `<dialog>`
 */
export function useModal(onClose?: () => void) {
  const ref = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = ref.current!
    const before = document.activeElement
    opened.push(dialog)
    dialog.showModal()
    // The browser focused the first button. React's `autoFocus` acts before the dialog is shown.
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
      // File inputs fire `cancel` too.
      if (event.target !== event.currentTarget) return
      // It closes when it is no longer rendered.
      event.preventDefault()
      if (opened.at(-1) === event.currentTarget) onClose?.()
    },
    onClose: ({ currentTarget: dialog }: SyntheticEvent<HTMLDialogElement>) => {
      // A second Escape closes it without `cancel`.
      if (dialog.open || !opened.includes(dialog)) return
      if (opened.at(-1) === dialog && onClose !== undefined) onClose()
      else reopenAll()
    },
  }
}

function reopenAll(): void {
  const focused = document.activeElement
  for (const dialog of opened) {
    dialog.close()
    dialog.showModal()
  }
  if (focused instanceof HTMLElement) focused.focus()
}
