import type { ReactNode } from 'react'
import classes from './card.module.css'

/** A sheet on the page; its sections are divided by lines. */
export function Card({ children }: { children: ReactNode }) {
  return <div className={classes.card}>{children}</div>
}
