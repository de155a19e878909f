import { createLink } from '@tanstack/react-router'
import {
  type AnchorHTMLAttributes,
  type ButtonHTMLAttributes,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useId,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { IconButton } from './button.tsx'
import { Icon, type IconName } from './icon.tsx'
import classes from './popover.module.css'

/** Between the button and the panel, and between the panel and the edge of the screen, in px. */
const gap = 4

/** Below its button, or above where there is more room; within the screen either way. */
function place(panel: HTMLElement, button: HTMLElement, end: boolean): void {
  const at = button.getBoundingClientRect()
  panel.style.minWidth = `${at.width}px`
  const { offsetWidth: width, offsetHeight: height } = panel
  const left = end ? at.right - width : at.left
  const fitsBelow = at.bottom + gap + height <= innerHeight || at.top < innerHeight - at.bottom
  const top = fitsBelow ? Math.min(at.bottom + gap, innerHeight - height - gap) : at.top - gap - height
  panel.style.left = `${Math.max(gap, Math.min(left, innerWidth - width - gap))}px`
  panel.style.top = `${Math.max(gap, top)}px`
}

/** Arrow keys, Home and End go along the panel's buttons and links. */
function walk(event: KeyboardEvent<HTMLElement>): void {
  const items = [...event.currentTarget.querySelectorAll<HTMLElement>('a, button:not(:disabled)')]
  const at = items.indexOf(document.activeElement as HTMLElement)
  const next: Record<string, number> = {
    ArrowDown: at + 1,
    ArrowUp: at < 0 ? items.length - 1 : at - 1,
    Home: 0,
    End: items.length - 1,
  }
  const isTyping = document.activeElement instanceof HTMLInputElement
  const to = next[event.key]
  if (to === undefined || (isTyping && (event.key === 'Home' || event.key === 'End'))) return
  event.preventDefault()
  items[(to + items.length) % items.length]?.focus()
}

/** What the button that opens a panel must be given. */
export interface OpenerProps {
  popoverTarget: string
  ref: Ref<HTMLButtonElement>
}

/**
 * A panel that a button opens: the browser's own popover. A press outside it, Escape, or a press on one of its items
 * closes it, and the focus goes back to the button.
 *
 * @param label what a screen reader calls the panel
 * @param end its right edges stand in line, not its left ones
 * @param renderButton makes the button of what it must be given
 * @param children made when it is opened for the first time, and kept
 */
export function Popover({
  label,
  end = false,
  renderButton,
  children,
}: {
  label: string
  end?: boolean
  renderButton: (opener: OpenerProps) => ReactNode
  children: ReactNode
}) {
  const id = useId()
  const opener = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  // A page has many that are never opened.
  const [wasOpened, setWasOpened] = useState(false)
  return (
    <>
      {renderButton({ popoverTarget: id, ref: opener })}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- hears its items */}
      <div
        ref={panel}
        id={id}
        popover="auto"
        role="group"
        aria-label={label}
        className={classes.panel}
        onBeforeToggle={({ newState }) => {
          // Placed once it is there, which it must be then.
          if (newState === 'open') flushSync(() => setWasOpened(true))
        }}
        onToggle={({ newState }) => {
          if (newState !== 'open') return
          const element = panel.current!
          place(element, opener.current!, end)
          // The browser says so a moment after: whoever is quick is in it already.
          if (element.contains(document.activeElement)) return
          element.querySelector<HTMLElement>('[data-autofocus], a, button:not(:disabled)')?.focus()
        }}
        onKeyDown={walk}
        onClick={({ target }) => {
          if ((target as HTMLElement).closest('a, button') !== null) panel.current!.hidePopover()
        }}
      >
        {wasOpened && children}
      </div>
    </>
  )
}

/** Items under each other: {@link MenuItem}s and {@link MenuLink}s. */
export function MenuList({ children }: { children: ReactNode }) {
  return <div className={classes.list}>{children}</div>
}

/** What can be done with a row or a thing, behind three dots. */
export function Menu({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Popover
      label={label}
      end
      renderButton={(opener) => <IconButton {...opener} icon="more" label={label} />}
    >
      <MenuList>{children}</MenuList>
    </Popover>
  )
}

/** @param danger cannot be undone */
export function MenuItem({
  icon,
  danger = false,
  children,
  ...rest
}: Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'className'> & { icon?: IconName; danger?: boolean }) {
  return (
    <button type="button" {...rest} className={`${classes.item} ${danger ? classes.danger : ''}`}>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  )
}

function MenuAnchor({
  icon,
  children,
  ...rest
}: Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'className'> & {
  icon?: IconName
  ref?: Ref<HTMLAnchorElement>
}) {
  return (
    <a {...rest} className={classes.item}>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </a>
  )
}

/** Takes `to`, `params` and `search` as `Link` does. */
export const MenuLink = createLink(MenuAnchor)
