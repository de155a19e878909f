import type { ReactNode } from 'react'
import { useFormat } from '../company/use-format.ts'
import classes from './figures.module.css'

/** Writes a number of rows, or a dash where it is not known. */
export function useRowCount(): (rows: number | null | undefined) => string {
  const format = useFormat()
  return (rows) => (rows == null ? '–' : format.count(rows))
}

/** Counts next to each other, each under its name: {@link Figure}s. */
export function Figures({ children }: { children: ReactNode }) {
  return <dl className={classes.figures}>{children}</dl>
}

/** @param red something was refused */
export function Figure({ name, red, children }: { name: string; red?: boolean; children: ReactNode }) {
  return (
    <div className={classes.figure}>
      <dt className="small">{name}</dt>
      <dd className={red ? classes.red : ''}>{children}</dd>
    </div>
  )
}
