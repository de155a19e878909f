import type { ReactNode } from 'react'
import classes from './deliveries.module.css'

/** Counts beside each other, each under its name: {@link Figure}s. */
export function Figures({ children }: { children: ReactNode }) {
  return <dl className={classes.figures}>{children}</dl>
}

/** @param refused it counts what was refused, and something was */
export function Figure({
  name,
  refused = false,
  children,
}: {
  name: string
  refused?: boolean
  children: ReactNode
}) {
  return (
    <div className={classes.figure}>
      <dt>{name}</dt>
      <dd className={refused ? classes.red : ''}>{children}</dd>
    </div>
  )
}
