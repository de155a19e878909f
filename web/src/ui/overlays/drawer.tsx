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
import classes from './dialog.module.css'
import { DialogHead, useModal } from './dialog.tsx'

/** The element next to the page where drawers open; provided by the frame. */
export const DrawerPlace = createContext<HTMLElement | null>(null)

/** From this width on, a drawer fits next to the page. */
const roomy = '(min-width: 68.75em)'

/** Whether a media query matches now. */
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
  /** Above the title: the kind of thing that is shown. */
  over?: ReactNode
  title: ReactNode
  line?: ReactNode
  onClose: () => void
  children: ReactNode
}

/**
 * Details of one thing on the page: next to it from 1,100 px on, over it below that. Give it a `key` for what it shows, so that
 * another one starts at the top with the focus on its title.
 */
export function Drawer(props: DrawerProps) {
  const place = use(DrawerPlace)
  const isRoomy = useMedia(roomy)
  if (!isRoomy) return <Covering {...props} />
  const drawer = <SideDrawer {...props} />
  return place === null ? drawer : createPortal(drawer, place)
}

function SideDrawer({ children, ...head }: DrawerProps) {
  const titleId = useId()
  const panel = useRef<HTMLElement>(null)
  // A layout effect is cleaned up while the panel is still in the page, which shows whether it has the focus.
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
      className={`${classes.drawer} ${classes.side}`}
      aria-labelledby={titleId}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !event.defaultPrevented) head.onClose()
      }}
    >
      <DialogHead {...head} titleId={titleId} />
      <div className={classes.body}>{children}</div>
    </aside>
  )
}

function Covering({ children, ...head }: DrawerProps) {
  const titleId = useId()
  const modal = useModal(head.onClose)
  return (
    <dialog {...modal} className={`${classes.drawer} ${classes.covering}`} aria-labelledby={titleId}>
      <DialogHead {...head} titleId={titleId} />
      <div className={classes.body}>{children}</div>
    </dialog>
  )
}
