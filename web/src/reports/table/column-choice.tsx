import { useTexts } from '../../language/language.ts'
import { Check } from '../../ui/controls/check.tsx'
import { ChoicePanel, type ControlsProps } from '../controls/choice-panel.tsx'
import panel from '../controls/report-controls.module.css'
import { type ColumnName, columnNames } from '../report-search.ts'

const shownUnchosen: readonly ColumnName[] = ['figure', 'before']

/** Chooses what the table shows of each series, and whether periods that only grew are marked too. */
export function ColumnChoice({ report, search, onChange }: Omit<ControlsProps, 'today'>) {
  const t = useTexts('reports')
  const chosen = search.columns ?? shownUnchosen
  const offered = columnNames.filter((name) => {
    if (name === 'figure') return true
    return name === 'share' ? report.by !== null && report.combines === 'sum' : report.year_before !== null
  })
  const choose = (name: ColumnName, on: boolean): void => {
    const next = columnNames.filter((each) => (each === name ? on : chosen.includes(each)))
    // A table without any column shows nothing.
    onChange({ ...search, columns: next.length === 0 ? ['figure'] : next })
  }
  return (
    <ChoicePanel label={t('columns')} icon="eye" choice={t('columns')}>
      <div className={panel.panel}>
        <fieldset className={panel.values}>
          <legend className="unseen">{t('columns')}</legend>
          {offered.map((name) => (
            <Check
              key={name}
              label={t(`column.${name}`)}
              checked={chosen.includes(name)}
              onChange={(on) => choose(name, on)}
            />
          ))}
        </fieldset>
        <Check
          label={t('showGrown')}
          checked={search.grew !== undefined}
          onChange={(on) => onChange({ ...search, grew: on ? 'yes' : undefined })}
        />
      </div>
    </ChoicePanel>
  )
}
