import type { ReactNode } from 'react'
import { Card } from '../layout/card.tsx'
import classes from './empty-start.module.css'
import { Section } from '../layout/section.tsx'
import { StepNumber } from '../layout/steps.tsx'

export interface StartStep {
  title: string
  text: ReactNode
  state: 'done' | 'now' | 'later'
  action?: ReactNode
}

const stepStates = { done: 'done', now: 'current', later: 'open' } as const

/** Shown where a list is empty: the steps that lead to its first entry. */
export function EmptyStart({ title, steps }: { title: string; steps: readonly StartStep[] }) {
  return (
    <Card>
      <Section title={title} />
      <ol className="plain">
        {steps.map(({ title, text, state, action }, index) => (
          <li key={title} className={classes.step}>
            <StepNumber state={stepStates[state]} number={index + 1} large />
            <div className={classes.words}>
              <b>{title}</b>
              <p className="quiet">{text}</p>
            </div>
            {action}
          </li>
        ))}
      </ol>
    </Card>
  )
}

/** Shown where a list is empty: what will appear here, and what causes it to. */
export function Empty({
  title,
  children,
  actions,
}: {
  title: string
  children: ReactNode
  actions?: ReactNode
}) {
  return (
    <Card>
      <Section title={title}>
        <div className="quiet">{children}</div>
        {actions}
      </Section>
    </Card>
  )
}
