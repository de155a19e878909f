import type { ReactNode } from 'react'
import classes from './keys.module.css'

/** A key of the keyboard. */
export function Key({ children }: { children: ReactNode }) {
  return <kbd className={classes.key}>{children}</kbd>
}

/** The key that goes with others, as this keyboard names it. */
export const controlKey = /Mac|iPhone|iPad/.test(globalThis.navigator?.userAgent ?? '') ? '⌘' : 'Ctrl'
