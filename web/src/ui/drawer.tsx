import {
  createContext,
  type ReactNode,
  use,
  useId,
  useLayoutEffect,
  useRef,
  useSyncExternalStore,
} from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { IconButton } from './button.tsx'
import classes from './dialog.module.css'
import { useModal } from './dialog.tsx'

/** Where a drawer stands beside the page; the frame gives it. */
export const DrawerPlace = createContext<HTMLElement | null>(null)

/** From here on there is room beside the page. */
const roomy = '(min-width: 68.75em)'

/** Whether a media query holds now. */
export function useMedia(query: string): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const media = matchMedia(query)
      media.addEventListener('change', onChange)
      return () => media.removeEventListener('change', onChange)
    },
    () => matchMedia(query).matches,
  )
}

interface DrawerProps {
  /** What kind of thing it is, above its title. */
  over?: ReactNode
  title: ReactNode
  line?: ReactNode
  onClose: () => void
  children: ReactNode
}

/**
 * One thing of a page, opened: beside the page from 1,100 px on, and over it below. Render it under a `key` of what it
 * shows, so that another one begins at its top with the focus on its title.
 */
export function Drawer(props: DrawerProps) {
  const place = use(DrawerPlace)
  const isRoomy = useMedia(roomy)
  if (!isRoomy) return <Covering {...props} />
  const beside = <Beside {...props} />
  return place === null ? beside : createPortal(beside, place)
}

function Beside(props: DrawerProps) {
  const titleId = useId()
  const panel = useRef<HTMLElement>(null)
  // Before it is taken out of the page, so that it can be seen whether the focus is in it.
  useLayoutEffect(() => {
    const before = document.activeElement
    const element = panel.current!
    element.querySelector('h2')?.focus({ preventScroll: true })
    return () => {
      if (before instanceof HTMLElement && before.isConnected && element.contains(document.activeElement)) {
        before.focus({ preventScroll: true })
      }
    }
  }, [])
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- Escape closes it from anywhere inside
    <aside
      ref={panel}
      className={`${classes.drawer} ${classes.beside}`}
      aria-labelledby={titleId}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) props.onClose()
      }}
    >
      <Content {...props} titleId={titleId} />
    </aside>
  )
}

function Covering(props: DrawerProps) {
  const titleId = useId()
  const modal = useModal(props.onClose)
  return (
    <dialog {...modal} className={`${classes.drawer} ${classes.covering}`} aria-labelledby={titleId}>
      <Content {...props} titleId={titleId} />
    </dialog>
  )
}

function Content({ over, title, line, onClose, children, titleId }: DrawerProps & { titleId: string }) {
  const { t } = useTranslation()
  return (
    <>
      <div className={classes.head}>
        <div>
          {over !== undefined && <p className="small">{over}</p>}
          <h2 id={titleId} tabIndex={-1} className={classes.title}>
            {title}
          </h2>
          {line !== undefined && <p className="small">{line}</p>}
        </div>
        <IconButton icon="close" label={t('ui.close')} onClick={onClose} />
      </div>
      <div className={classes.body}>{children}</div>
    </>
  )
}
