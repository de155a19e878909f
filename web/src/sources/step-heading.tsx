import type { ReactNode } from 'react'

/** What a step's first heading says: the form gives its heading the focus when the step takes another's place. */
export function StepHeading({ children }: { children: ReactNode }) {
  return (
    <span tabIndex={-1} data-step-heading>
      {children}
    </span>
  )
}
