import type { ReactNode } from 'react'
import { Card } from '../../ui/layout/card.tsx'
import { Section } from '../../ui/layout/section.tsx'
import classes from './source-form.module.css'

/** Takes the focus where the control that had it is gone. */
export const stepHeadingId = 'step-heading'

/** The first heading of a step, which takes the focus when the step replaces another. */
export function StepHeading({ children }: { children: ReactNode }) {
  return (
    <span id={stepHeadingId} tabIndex={-1} className={classes.heading}>
      {children}
    </span>
  )
}

/** A step of a single card. */
export function StepCard({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={classes.narrow}>
      <Card>
        <Section title={<StepHeading>{title}</StepHeading>}>{children}</Section>
      </Card>
    </div>
  )
}
