import { useTranslation } from 'react-i18next'
import { useFormat } from '../../company/use-format.ts'
import { addDays } from '../../language/format-day.ts'
import { Card } from '../../ui/layout/card.tsx'
import { Radio } from '../../ui/controls/check.tsx'
import { ChoiceGroup } from '../../ui/controls/field.tsx'
import { Section } from '../../ui/layout/section.tsx'
import { useNow } from '../../ui/use-now.ts'
import type { StepProps } from './form-state.ts'
import classes from './source-form.module.css'
import { StepHeading } from './step-card.tsx'

/** The same rows of one day for both: two in a first delivery, one in a second. */
const rows = [
  { delivery: 1, amount: '100.00' },
  { delivery: 1, amount: '50.00' },
  { delivery: 2, amount: '70.00' },
] as const
const totals = { events: '220.00', statements: '70.00' } as const

/** Whether deliveries add up, or replace earlier ones. */
export function DeliversStep({ draft, change, getFault }: StepProps) {
  const { t } = useTranslation('sources')
  return (
    <Card>
      <Section title={<StepHeading>{t('steps.delivers')}</StepHeading>}>
        <ChoiceGroup id="delivers" label={t('delivers.label')} error={getFault('delivers')}>
          <div className={classes.choices}>
            {(['events', 'statements'] as const).map((delivers) => (
              <div
                key={delivers}
                className={`${classes.choice} ${draft.delivers === delivers ? classes.chosen : ''}`}
              >
                <Radio
                  name="delivers"
                  label={<b>{t(delivers)}</b>}
                  hint={t(`delivers.${delivers}`)}
                  checked={draft.delivers === delivers}
                  onChoose={() => change((draft) => ({ ...draft, delivers }))}
                />
                <ExampleRows delivers={delivers} />
                <p className="small">{t(`delivers.correct.${delivers}`)}</p>
              </div>
            ))}
          </div>
        </ChoiceGroup>
      </Section>
    </Card>
  )
}

function ExampleRows({ delivers }: { delivers: 'events' | 'statements' }) {
  const { t } = useTranslation('sources')
  const format = useFormat()
  const day = format.day(addDays(format.today(useNow()), -1))
  return (
    <table className={classes.rows}>
      <caption className="small">{t('delivers.rows')}</caption>
      <thead>
        <tr>
          <th scope="col">{t('delivers.delivery')}</th>
          <th scope="col">{t('delivers.day')}</th>
          <th scope="col">{t('delivers.amount')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ delivery: number, amount }) => {
          const isReplaced = delivers === 'statements' && number === 1
          return (
            <tr key={amount}>
              <td>{t('delivers.number', { number })}</td>
              <td>{day}</td>
              <td>
                {isReplaced ? <s className="quiet">{format.number(amount)}</s> : format.number(amount)}
                {isReplaced && <span className="unseen">{t('delivers.replaced')}</span>}
              </td>
            </tr>
          )
        })}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row" colSpan={2}>
            {t('delivers.total', { day })}
          </th>
          <td>{format.number(totals[delivers])}</td>
        </tr>
      </tfoot>
    </table>
  )
}
