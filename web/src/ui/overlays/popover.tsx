import { createLink } from '@tanstack/react-router'
import {
  type ComponentProps,
  type KeyboardEvent,
  type ReactNode,
  type Ref,
  useId,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import { IconButton } from '../controls/button.tsx'
import { Icon, type IconName } from '../display/icon.tsx'
import classes from './popover.module.css'

/** Between the panel and its button, and the panel and the edge of the screen, in px. */
const gap = 4

/** Places the panel below its button, or above where there is more room, and always within the screen. */
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

/**
 * Has the browser focus the first item as it shows the panel (HTML, "popover focusing steps"). `toggle` comes later: a key
 * pressed before it would go to the button, and close the panel.
 */
function focusFirst(panel: HTMLElement): void {
  panel.querySelector('[autofocus]')?.removeAttribute('autofocus')
  panel.querySelector('[data-autofocus], a, button:not(:disabled)')?.setAttribute('autofocus', '')
}

/** Moves the focus among the panel's buttons and links. */
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

/** Props for the button that opens a panel. */
export interface OpenerProps {
  popoverTarget: string
  ref: Ref<HTMLButtonElement>
}

/**
 * A panel that a button opens. Pressing outside it, Escape, or one of its items closes it, and focus returns to the button.
 *
 * @param props.label for screen readers
 * @param props.end aligned with the button's right edge instead of its left
 * @param props.children rendered when it is first opened: a page has many that never are
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
  const [wasOpened, setWasOpened] = useState(false)
  return (
    <>
      {renderButton({ popoverTarget: id, ref: opener })}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- keys of its items */}
      <div
        ref={panel}
        id={id}
        popover="auto"
        role="group"
        aria-label={label}
        className={classes.panel}
        onBeforeToggle={({ newState }) => {
          if (newState !== 'open') return
          // Its size, which decides its place, must be known when `toggle` fires.
          flushSync(() => setWasOpened(true))
          focusFirst(panel.current!)
        }}
        onToggle={({ newState }) => {
          if (newState === 'open') place(panel.current!, opener.current!, end)
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

/** What can be done with something, behind three dots. */
export function Menu({ label, children }: { label: string; children: ReactNode }) {
  return (
    <Popover
      label={label}
      end
      renderButton={(opener) => <IconButton {...opener} icon="more" label={label} />}
    >
      {children}
    </Popover>
  )
}

/** @param props.danger cannot be undone */
export function MenuItem({
  icon,
  danger = false,
  children,
  ...rest
}: Omit<ComponentProps<'button'>, 'className'> & { icon?: IconName; danger?: boolean }) {
  return (
    <button type="button" {...rest} className={`${classes.item} ${danger ? classes.danger : ''}`}>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </button>
  )
}

/** Takes `to`, `params` and `search` like `Link`. */
export const MenuLink = createLink(
  ({ icon, children, ...rest }: Omit<ComponentProps<'a'>, 'className'> & { icon?: IconName }) => (
    <a {...rest} className={classes.item}>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </a>
  ),
)
