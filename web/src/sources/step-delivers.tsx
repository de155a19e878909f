import { useTranslation } from 'react-i18next'
import { useFormat } from '../company/use-format.ts'
import { addDays } from '../language/format-day.ts'
import { Card } from '../ui/card.tsx'
import { Radio } from '../ui/check.tsx'
import { ChoiceGroup } from '../ui/field.tsx'
import { Section } from '../ui/section.tsx'
import { useNow } from '../ui/use-now.ts'
import type { StepProps } from './form-state.ts'
import classes from './source-form.module.css'
import { StepHeading } from './step-heading.tsx'

/** The same three rows for both: two of one day in a first delivery, one of that day in a second. */
const rows = [
  { delivery: 1, amount: '100.00' },
  { delivery: 1, amount: '50.00' },
  { delivery: 2, amount: '70.00' },
] as const
const totals = { events: '220.00', statements: '70.00' } as const

/** Whether deliveries are added up, or replace what was said. */
export function DeliversStep({ draft, change, faultOf }: StepProps) {
  const { t } = useTranslation('sources')
  return (
    <Card>
      <Section title={<StepHeading>{t('steps.delivers')}</StepHeading>}>
        <ChoiceGroup id="delivers" label={t('delivers.label')} error={faultOf('delivers')}>
          <div className={classes.choices}>
            {(['events', 'statements'] as const).map((mode) => (
              <div
                key={mode}
                className={`${classes.choice} ${draft.delivers === mode ? classes.chosen : ''}`}
              >
                <Radio
                  name="delivers"
                  label={<b>{t(mode)}</b>}
                  hint={t(`delivers.${mode}`)}
                  checked={draft.delivers === mode}
                  onChoose={() => change((draft) => ({ ...draft, delivers: mode }))}
                />
                <ThreeRows mode={mode} />
                <p className="small">{t(`delivers.mend.${mode}`)}</p>
              </div>
            ))}
          </div>
        </ChoiceGroup>
      </Section>
    </Card>
  )
}

function ThreeRows({ mode }: { mode: 'events' | 'statements' }) {
  const { t } = useTranslation('sources')
  const format = useFormat()
  const day = addDays(format.today(useNow()), -1)
  return (
    <table className={classes.rows}>
      <caption>{t('delivers.rows')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('delivers.delivery')}</th>
          <th scope="col">{t('delivers.day')}</th>
          <th scope="col">{t('delivers.amount')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ delivery, amount }) => {
          const isReplaced = mode === 'statements' && delivery === 1
          return (
            <tr key={amount}>
              <td>{t('delivers.number', { number: delivery })}</td>
              <td>{format.day(day)}</td>
              <td>
                {isReplaced ? (
                  <>
                    <s className={classes.replaced}>{format.number(amount)}</s>
                    <span className="unseen">{t('delivers.replaced')}</span>
                  </>
                ) : (
                  format.number(amount)
                )}
              </td>
            </tr>
          )
        })}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row" colSpan={2}>
            {t('delivers.total', { day: format.day(day) })}
          </th>
          <td>{format.number(totals[mode])}</td>
        </tr>
      </tfoot>
    </table>
  )
}
