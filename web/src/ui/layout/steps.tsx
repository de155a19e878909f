import { useTranslation } from 'react-i18next'
import { Icon } from '../display/icon.tsx'
import classes from './steps.module.css'

/** `open`: not reached yet. `wrong`: it has errors. */
type StepState = 'done' | 'current' | 'open' | 'wrong'

export interface Step {
  key: string
  label: string
  state: StepState
}

/** The steps of a form. The person can go back to those already reached. */
export function Steps({
  label,
  steps,
  onStep,
}: {
  label: string
  steps: readonly Step[]
  onStep: (key: string) => void
}) {
  return (
    <nav aria-label={label}>
      <ol className={classes.steps}>
        {steps.map(({ key, label, state }, index) => {
          const content = (
            <>
              <StepNumber state={state} number={index + 1} /> {label}
            </>
          )
          return (
            <li key={key}>
              {state === 'open' ? (
                <span className={classes.step}>{content}</span>
              ) : (
                <button
                  type="button"
                  className={classes.step}
                  aria-current={state === 'current' ? 'step' : undefined}
                  onClick={() => onStep(key)}
                >
                  {content}
                </button>
              )}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}

/** The number of a step in a round badge, or a sign that it is done or wrong. */
export function StepNumber({
  state,
  number,
  large = false,
}: {
  state: StepState
  number: number
  large?: boolean
}) {
  const { t } = useTranslation()
  return (
    <span className={`${classes.number} ${large ? classes.large : ''} ${classes[state] ?? ''}`}>
      {state === 'done' || state === 'wrong' ? (
        <>
          <Icon name={state === 'done' ? 'check' : 'warning'} size={large ? 16 : 12} />
          <span className="unseen">{t(state === 'done' ? 'ui.stepDone' : 'ui.stepWrong')}</span>
        </>
      ) : (
        number
      )}
    </span>
  )
}
