import type { ReactNode } from 'react'

/** Where one goes on after what had the focus has gone. */
export const stepHeadingId = 'step-heading'

/** What a step's first heading says: the form gives its heading the focus when the step takes another's place. */
export function StepHeading({ children }: { children: ReactNode }) {
  return (
    <span id={stepHeadingId} tabIndex={-1} data-step-heading>
      {children}
    </span>
  )
}
