import { createLink } from '@tanstack/react-router'
import type { AnchorHTMLAttributes, ReactNode, Ref } from 'react'
import classes from './tabs.module.css'

/** Parts of one thing, each with its address: {@link TabLink}s. */
export function Tabs({ label, children }: { label: string; children: ReactNode }) {
  return (
    <nav className={classes.tabs} aria-label={label}>
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
