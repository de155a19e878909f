import type { ReactNode } from 'react'
import { Icon } from '../ui/display/icon.tsx'
import { Section } from '../ui/layout/section.tsx'
import classes from './choice-section.module.css'

/**
 * Choices that answer one question.
 *
 * @param props.id of the element that takes the focus when a choice is missing
 * @param props.fault which choice is missing
 */
export function ChoiceSection({
  id,
  title,
  fault,
  children,
}: {
  id: string
  title: string
  fault: string | false
  children: ReactNode
}) {
  const faultId = `${id}-fault`
  return (
    <div
      id={id}
      role="group"
      tabIndex={-1}
      aria-label={title}
      className={`${classes.group} ${fault === false ? '' : classes.marked}`}
      {...(fault !== false && { 'aria-describedby': faultId })}
    >
      <Section title={title}>
        {fault !== false && (
          <p id={faultId} role="alert" className={classes.fault}>
            <Icon name="warning" size={12} />
            {fault}
          </p>
        )}
        {children}
      </Section>
    </div>
  )
}
