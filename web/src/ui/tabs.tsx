import { createLink } from '@tanstack/react-router'
import { type AnchorHTMLAttributes, type ReactNode, type Ref, useEffect, useRef } from 'react'
import classes from './tabs.module.css'

/** Parts of one thing, each with its address: {@link TabLink}s. Where they are more than fit, the one that is shown is in sight. */
export function Tabs({ label, children }: { label: string; children: ReactNode }) {
  const ref = useRef<HTMLElement>(null)
  useEffect(() => {
    const tabs = ref.current!
    // It tells of the first size too.
    const observer = new ResizeObserver(() => {
      const shown = tabs.querySelector('[aria-current="page"]')?.getBoundingClientRect()
      const seen = tabs.getBoundingClientRect()
      if (shown === undefined) return
      // The tabs alone: `scrollIntoView` would move the page too.
      tabs.scrollLeft += Math.max(0, shown.right - seen.right) - Math.max(0, seen.left - shown.left)
    })
    observer.observe(tabs)
    return () => observer.disconnect()
  })
  return (
    <nav ref={ref} className={classes.tabs} aria-label={label}>
      {children}
    </nav>
  )
}

function TabAnchor({
  children,
  ...rest
}: Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'className'> & { ref?: Ref<HTMLAnchorElement> }) {
  return (
    <a {...rest} className={classes.tab}>
      {children}
    </a>
  )
}

/** Takes `to`, `params` and `search` as `Link` does, and knows by them whether it is the one that is shown. */
export const TabLink = createLink(TabAnchor)
