import { useState } from 'react'
import { useTexts } from '../language/language.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Segmented, Toggle } from '../ui/segmented.tsx'
import { Select } from '../ui/select.tsx'
import { AsOfChoice } from './as-of-choice.tsx'
import type { ControlsProps } from './controls-props.ts'
import { FilterChoice } from './filter-choice.tsx'
import { RangeChoice } from './range-choice.tsx'
import classes from './report-controls.module.css'
import { filtersOf } from './report-search.ts'

/** What the report shows: everything of it stands in the address. On a phone what is chosen less often is behind a button. */
export function ReportControls({ isNarrow, ...props }: ControlsProps & { isNarrow: boolean }) {
  const { report, search, today, onChange } = props
  const grain = <GrainChoice {...props} wide={isNarrow} />
  const range = <RangeChoice search={search} grain={report.grain} today={today} onChange={onChange} />
  if (isNarrow) {
    return (
      <div className={classes.narrow}>
        {grain}
        <div className={classes.pair}>
          {range}
          <MoreChoices {...props} />
        </div>
      </div>
    )
  }
  return (
    <div className={classes.controls}>
      {range}
      {grain}
      <Further {...props} />
    </div>
  )
}

function GrainChoice({ report, search, onChange, wide }: ControlsProps & { wide: boolean }) {
  const t = useTexts('reports')
  if (report.grains.length < 2) return null
  return (
    <Segmented
      label={t('countedBy')}
      wide={wide}
      value={search.grain ?? report.grain}
      options={report.grains.map((grain) => ({ value: grain, label: t(`grain.${grain}`) }))}
      // What is read out and traced is of the other periods.
      onChange={(grain) => onChange({ ...search, grain, period: undefined, trace: undefined, of: undefined })}
    />
  )
}

/** What is chosen less often. */
function Further(props: ControlsProps) {
  const t = useTexts('reports')
  const { report, search, onChange } = props
  return (
    <>
      {report.labels.length > 0 && (
        <Select
          label={t('bySeries')}
          value={search.by ?? ''}
          options={[
            { value: '', label: t('byNone') },
            ...report.labels.map(({ name }) => ({ value: name, label: t('byLabel', { label: name }) })),
          ]}
          onChange={(by) =>
            onChange({ ...search, by: by === '' ? undefined : by, of: undefined, trace: undefined })
          }
        />
      )}
      {report.labels.length > 0 && <FilterChoice {...props} />}
      <Toggle
        pressed={search.year === undefined}
        onToggle={(pressed) => onChange({ ...search, year: pressed ? undefined : 'no' })}
      >
        {t('yearBefore')}
      </Toggle>
      <AsOfChoice {...props} />
    </>
  )
}

function MoreChoices(props: ControlsProps) {
  const t = useTexts('reports')
  const [isOpen, setIsOpen] = useState(false)
  const { search } = props
  const count =
    Object.keys(filtersOf(search)).length +
    [search.by, search.as_of, search.year === undefined ? 'year' : undefined].filter(Boolean).length
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>
        {t('moreChoices')} {count > 0 && <span className={classes.count}>{count}</span>}
      </Button>
      {isOpen && (
        <Dialog
          title={t('moreChoices')}
          onClose={() => setIsOpen(false)}
          footer={
            <Button variant="primary" onClick={() => setIsOpen(false)}>
              {t('showReport')}
            </Button>
          }
        >
          <div className={classes.stacked}>
            <Further {...props} />
          </div>
        </Dialog>
      )}
    </>
  )
}
