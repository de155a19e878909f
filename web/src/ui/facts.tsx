import type { ReactNode } from 'react'
import classes from './facts.module.css'

/**
 * What is known of one thing, name by name: {@link Fact}s.
 *
 * @param stacked each name above what it says, in narrow places
 */
export function Facts({ children, stacked = false }: { children: ReactNode; stacked?: boolean }) {
  return <dl className={`${classes.facts} ${stacked ? classes.stacked : ''}`}>{children}</dl>
}

export function Fact({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <div className={classes.fact}>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
