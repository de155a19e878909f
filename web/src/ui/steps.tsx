import { useTranslation } from 'react-i18next'
import { Icon } from './icon.tsx'
import classes from './tabs.module.css'

export interface Step {
  key: string
  label: string
  /** `open`: not come to yet. `wrong`: something in it must be mended. */
  state: 'done' | 'current' | 'open' | 'wrong'
}

/** The steps of a form. Those that were come to can be gone back to. */
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
        {steps.map((step, index) => (
          <li key={step.key}>
            {step.state === 'open' ? (
              <span className={classes.step}>
                <Mark step={step} number={index + 1} />
                {step.label}
              </span>
            ) : (
              <button
                type="button"
                className={classes.step}
                aria-current={step.state === 'current' ? 'step' : undefined}
                onClick={() => onStep(step.key)}
              >
                <Mark step={step} number={index + 1} />
                {step.label}
              </button>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}

function Mark({ step: { state }, number }: { step: Step; number: number }) {
  const { t } = useTranslation()
  return (
    <span className={`${classes.number} ${state === 'open' ? '' : classes[state]}`}>
      {state === 'done' || state === 'wrong' ? (
        <>
          <Icon name={state === 'done' ? 'check' : 'warning'} size={12} />
          <span className="unseen">{t(state === 'done' ? 'ui.stepDone' : 'ui.stepWrong')}</span>
        </>
      ) : (
        number
      )}
    </span>
  )
}
