import { type ReactNode, useEffect, useRef } from 'react'

/** Moves the focus to the page's heading, where the element that had it is gone. */
export function focusTitle(): void {
  document.querySelector<HTMLElement>('h1[tabindex]')?.focus({ preventScroll: true })
}

/** The browser itself announces the first title of a document. */
let isFirst = true

/**
 * The page's only first-level heading. One that replaces another takes the focus, so that screen readers announce the new view
 * and Tab continues from its top.
 *
 * @param props.tab the title of the browser's tab
 */
export function PageTitle({ children, tab }: { children: ReactNode; tab: string }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // The router restores the scroll position.
    if (!isFirst) heading.current?.focus({ preventScroll: true })
    isFirst = false
  }, [])
  return (
    <>
      <title>{`${tab} · Numera`}</title>
      <h1 ref={heading} tabIndex={-1}>
        {children}
      </h1>
    </>
  )
}
