import { createLink } from '@tanstack/react-router'
import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react'
import classes from './tabs.module.css'

/** Parts of one thing, each with its own address: {@link TabLink}s. The current one is scrolled into view. */
export function Tabs({ label, children }: { label: string; children: ReactNode }) {
  const ref = useRef<HTMLElement>(null)
  useEffect(() => {
    const tabs = ref.current!
    // It also reports the first size.
    const observer = new ResizeObserver(() => {
      const current = tabs.querySelector('[aria-current="page"]')?.getBoundingClientRect()
      const view = tabs.getBoundingClientRect()
      if (current === undefined) return
      // `scrollIntoView` would also scroll the page.
      tabs.scrollLeft += Math.max(0, current.right - view.right) - Math.max(0, view.left - current.left)
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

/** Takes `to`, `params` and `search` like `Link`, which also decide whether it is the current tab. */
export const TabLink = createLink(({ children, ...rest }: Omit<ComponentProps<'a'>, 'className'>) => (
  <a {...rest} className={classes.tab}>
    {children}
  </a>
))
