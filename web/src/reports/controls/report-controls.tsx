import { useState } from 'react'
import { useTexts } from '../../language/language.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Row } from '../../ui/layout/page.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { Segmented, Toggle } from '../../ui/controls/segmented.tsx'
import { Select } from '../../ui/controls/select.tsx'
import { getFilters } from '../report-search.ts'
import { AsOfChoice } from './as-of-choice.tsx'
import type { ControlsProps } from './choice-panel.tsx'
import { FilterChoice } from './filter-choice.tsx'
import { RangeChoice } from './range-choice.tsx'
import classes from './report-controls.module.css'

/** What the report shows, which the address keeps. On a phone the less frequent choices are in a dialog. */
export function ReportControls({ isNarrow, ...props }: ControlsProps & { isNarrow: boolean }) {
  if (isNarrow) {
    return (
      <div className={classes.narrow}>
        <GrainChoice {...props} wide />
        <div className={classes.pair}>
          <RangeChoice {...props} />
          <MoreChoices {...props} />
        </div>
      </div>
    )
  }
  return (
    <Row>
      <RangeChoice {...props} />
      <GrainChoice {...props} />
      <FurtherChoices {...props} />
    </Row>
  )
}

function GrainChoice({ report, search, onChange, wide = false }: ControlsProps & { wide?: boolean }) {
  const t = useTexts('reports')
  if (report.grains.length < 2) return null
  return (
    <Segmented
      label={t('countedBy')}
      wide={wide}
      value={search.grain ?? report.grain}
      options={report.grains.map((grain) => ({ value: grain, label: t(`grain.${grain}`) }))}
      // The period read out and the trace belong to the other grain.
      onChange={(grain) => onChange({ ...search, grain, period: undefined, trace: undefined, of: undefined })}
    />
  )
}

function FurtherChoices(props: ControlsProps) {
  const t = useTexts('reports')
  const { report, search, onChange } = props
  const labels = report.labels.map(({ name }) => ({ value: name, label: t('byLabel', { label: name }) }))
  return (
    <>
      {labels.length > 0 && (
        <>
          <Select
            label={t('bySeries')}
            value={search.by ?? ''}
            options={[{ value: '', label: t('byNone') }, ...labels]}
            onChange={(by) => onChange({ ...search, by: by || undefined, of: undefined, trace: undefined })}
          />
          <FilterChoice {...props} />
        </>
      )}
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
  const { by, as_of, year } = props.search
  const close = (): void => setIsOpen(false)
  const count =
    Object.keys(getFilters(props.search)).length + [by, as_of, year === undefined].filter(Boolean).length
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>
        {t('moreChoices')} {count > 0 && <span className={classes.count}>{count}</span>}
      </Button>
      {isOpen && (
        <Dialog
          title={t('moreChoices')}
          onClose={close}
          footer={
            <Button variant="primary" onClick={close}>
              {t('showReport')}
            </Button>
          }
        >
          <FurtherChoices {...props} />
        </Dialog>
      )}
    </>
  )
}
