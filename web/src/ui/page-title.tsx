import { type ReactNode, useEffect, useRef } from 'react'
import classes from './page-title.module.css'

/** Gives the page's heading the focus, where what had it is gone. */
export function focusTitle(): void {
  document.querySelector<HTMLElement>('h1[tabindex]')?.focus({ preventScroll: true })
}

/** The browser itself announces the first title of a document. */
let isFirst = true

/**
 * The one first-level heading of what is shown. A heading that replaces another takes the focus, so that a screen reader
 * announces the new view and the Tab key continues from its top.
 *
 * @param tab what the browser's tab says
 */
export function PageTitle({ children, tab }: { children: ReactNode; tab: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // Where the page stands after going back is not this heading's to say.
    if (!isFirst) heading.current?.focus({ preventScroll: true })
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
