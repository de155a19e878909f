import type { ReactNode } from 'react'
import { Card } from './card.tsx'
import classes from './empty-start.module.css'
import { Icon } from './icon.tsx'
import { Section } from './section.tsx'

export interface StartStep {
  title: string
  text: ReactNode
  state: 'done' | 'now' | 'later'
  action?: ReactNode
}

/** Where there is nothing yet: what leads from here to the first of it, step by step. */
export function EmptyStart({ title, steps }: { title: string; steps: readonly StartStep[] }) {
  return (
    <Card>
      <Section title={title} />
      <ol className={classes.steps}>
        {steps.map((step, index) => (
          <li key={step.title} className={classes.step}>
            <span className={`${classes.number} ${step.state === 'later' ? '' : classes[step.state]}`}>
              {step.state === 'done' ? <Icon name="check" /> : index + 1}
            </span>
            <div className={classes.words}>
              <p className={classes.title}>{step.title}</p>
              <p className="quiet">{step.text}</p>
            </div>
            {step.action}
          </li>
        ))}
      </ol>
    </Card>
  )
}

/** Where there is nothing yet and nothing to begin with: what will be here, and what brings it about. */
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
