import type { ReactNode } from 'react'
import classes from './section.module.css'

/** A part of a card. */
export function Section({ children, id }: { children: ReactNode; id?: string }) {
  return (
    <div id={id} className={classes.section}>
      {children}
    </div>
  )
}
