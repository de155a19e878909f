import { type ReactNode, useEffect, useRef } from 'react'
import classes from './page-title.module.css'

/** The browser itself reads out what a page begins with. */
let isFirst = true

/**
 * The one first-level heading of what is shown. When another takes its place it gets the focus, so that a screen reader
 * says where one is now and the keyboard goes on from the top.
 *
 * @param tab what the browser's tab says
 */
export const PageTitle = ({ children, tab }: { children: ReactNode; tab: string }) => {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!isFirst) heading.current?.focus()
    isFirst = false
  }, [])
  return (
    <>
      <title>{`${tab} · Numera`}</title>
      <h1 ref={heading} tabIndex={-1} className={classes.title}>
        {children}
      </h1>
    </>
  )
}
