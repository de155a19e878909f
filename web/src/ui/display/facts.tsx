import type { ReactNode } from 'react'
import classes from './facts.module.css'

/**
 * Names and values: {@link Fact}s.
 *
 * @param props.stacked each name above its value, in narrow places
 */
export function Facts({ children, stacked = false }: { children: ReactNode; stacked?: boolean }) {
  return <dl className={`${classes.facts} ${stacked ? classes.stacked : ''}`}>{children}</dl>
}

export function Fact({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}
