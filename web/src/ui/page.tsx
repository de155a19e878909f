import type { ReactNode } from 'react'
import classes from './page.module.css'

/**
 * What a page shows, from its {@link PageHead} down, with the usual gaps.
 *
 * @param width `form` for forms and what is read line by line, `wide` for a report and the deliveries
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

/** Things of one block under each other. */
export function Stack({ children }: { children: ReactNode }) {
  return <div className={classes.stack}>{children}</div>
}

/** Controls beside each other, that wrap. */
export function Row({ children }: { children: ReactNode }) {
  return <div className={classes.row}>{children}</div>
}

/** Things of one width beside each other, as many as fit. */
export function Columns({ children }: { children: ReactNode }) {
  return <div className={classes.columns}>{children}</div>
}
