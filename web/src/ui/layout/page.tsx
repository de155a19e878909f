import type { ReactNode } from 'react'
import classes from './page.module.css'

/**
 * A page, from its {@link PageHead} down, with the usual gaps.
 *
 * @param props.width `form` for forms and text, `wide` for a report and the deliveries
 */
export function Page({
  width = 'normal',
  children,
}: {
  width?: 'normal' | 'wide' | 'form'
  children: ReactNode
}) {
  return <div className={`${classes.page} ${width === 'normal' ? '' : classes[width]}`}>{children}</div>
}

/** Stacks the parts of one block. */
export function Stack({ children }: { children: ReactNode }) {
  return <div className={classes.stack}>{children}</div>
}

/**
 * Controls in a row that wraps.
 *
 * @param props.spread first and last at the edges
 */
export function Row({ spread = false, children }: { spread?: boolean; children: ReactNode }) {
  return <div className={`${classes.row} ${spread ? classes.spread : ''}`}>{children}</div>
}

/** Columns of equal width, as many as fit. */
export function Columns({ children }: { children: ReactNode }) {
  return <div className={classes.columns}>{children}</div>
}
