import type { ReactNode } from 'react'
import { FieldSection } from '../ui/field-section.tsx'
import { Icon } from '../ui/icon.tsx'
import classes from './choice-section.module.css'

/**
 * Choices that answer one question.
 *
 * @param id where the focus goes when something is to be chosen in it
 * @param fault what is to be chosen
 */
export function ChoiceSection({
  id,
  title,
  fault,
  children,
}: {
  id: string
  title: string
  fault: string | undefined
  children: ReactNode
}) {
  const faultId = `${id}-fault`
  return (
    <div
      id={id}
      role="group"
      tabIndex={-1}
      aria-label={title}
      className={`${classes.group} ${fault === undefined ? '' : classes.marked}`}
      {...(fault !== undefined && { 'aria-describedby': faultId })}
    >
      <FieldSection title={title}>
        {fault !== undefined && (
          <p id={faultId} role="alert" className={classes.fault}>
            <Icon name="warning" size={12} />
            {fault}
          </p>
        )}
        {children}
      </FieldSection>
    </div>
  )
}
