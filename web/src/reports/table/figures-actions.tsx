import { useState } from 'react'
import { fileAddress } from '../../api/call-api.ts'
import { may, useCompany } from '../../company/company.ts'
import { useLanguage, useTexts } from '../../language/language.ts'
import { Button, ButtonAnchor, Buttons } from '../../ui/controls/button.tsx'
import { useCopy } from '../../ui/display/copy.tsx'
import { LiveRegion } from '../../ui/feedback/live.tsx'
import { Menu, MenuItem } from '../../ui/overlays/popover.tsx'
import classes from '../report-page.module.css'
import { type Report, type ReportId, toReportRequest } from '../report-queries.ts'
import type { ReportSearch } from '../report-search.ts'
import { ColumnChoice } from './column-choice.tsx'
import { type FigureColumn, sortPeriods, toSpreadsheet } from './figures.ts'
import { SpreadsheetDialog } from './spreadsheet-dialog.tsx'

const readReport = 'GET /console/companies/{company_id}/sources/{source_id}/reports/{metric}'

interface FiguresActionsProps {
  id: ReportId
  report: Report
  search: ReportSearch
  today: string
  isNarrow: boolean
  columns: FigureColumn[]
  onChange: (search: ReportSearch) => void
}

function useFileAddresses({ id, search, today }: FiguresActionsProps): { file: string; workbook: string } {
  const language = useLanguage() === 'sv' ? 'sv' : 'en'
  const { path, query } = toReportRequest(id, search, today, useCompany().fiscal_year_month)
  const request = { path, query: { ...query, language } } as const
  return {
    file: fileAddress(`${readReport}/file.csv`, request),
    workbook: fileAddress(`${readReport}/file.xlsx`, request),
  }
}

/** Of two years by day the text is long: it is created when it is copied. */
function useCopyOfTable({ report, search, columns }: FiguresActionsProps) {
  const t = useTexts('reports')
  const point = useLanguage() === 'sv' ? ',' : '.'
  return useCopy(() => {
    const indexes = sortPeriods(report.periods, columns, search.sort)
    return toSpreadsheet(report, columns, indexes, point, {
      period: t(`grain.${report.grain}`),
      unfinished: t('unfinishedColumn'),
      yes: t('yes'),
    })
  })
}

/** What can be done with the figures: copying, files, a live spreadsheet, printing. */
export function FiguresActions(props: FiguresActionsProps) {
  const t = useTexts('reports')
  const { icon, result, onClick: copy } = useCopyOfTable(props)
  const { file, workbook } = useFileAddresses(props)
  const [isLinking, setIsLinking] = useState(false)
  // A link follows the calendar, and what is known.
  const mayLink = may(useCompany().role, 'developer') && props.search.as_of === undefined
  const { id, report, search, today } = props
  return (
    <div className={`${classes.notPrinted} ${classes.actions}`}>
      <ColumnChoice report={report} search={search} onChange={props.onChange} />
      <LiveRegion>{result}</LiveRegion>
      {props.isNarrow ? (
        <Menu label={t('withFigures')}>
          <MenuItem icon="copy" onClick={copy}>
            {t('copy')}
          </MenuItem>
          <MenuItem icon="delivery" onClick={() => location.assign(file)}>
            {t('file')}
          </MenuItem>
          <MenuItem icon="file" onClick={() => location.assign(workbook)}>
            {t('workbook')}
          </MenuItem>
          {mayLink && (
            <MenuItem icon="link" onClick={() => setIsLinking(true)}>
              {t('liveSheet')}
            </MenuItem>
          )}
          <MenuItem icon="print" onClick={() => print()}>
            {t('print')}
          </MenuItem>
        </Menu>
      ) : (
        <Buttons>
          <Button small variant="quiet" icon={icon} onClick={copy}>
            {result ?? t('copy')}
          </Button>
          <ButtonAnchor small variant="quiet" icon="delivery" href={file} download>
            {t('file')}
          </ButtonAnchor>
          <ButtonAnchor small variant="quiet" icon="file" href={workbook} download>
            {t('workbook')}
          </ButtonAnchor>
          {mayLink && (
            <Button small variant="quiet" icon="link" onClick={() => setIsLinking(true)}>
              {t('liveSheet')}
            </Button>
          )}
          <Button small variant="quiet" icon="print" onClick={() => print()}>
            {t('print')}
          </Button>
        </Buttons>
      )}
      {isLinking && (
        <SpreadsheetDialog {...{ id, report, search, today }} onClose={() => setIsLinking(false)} />
      )}
    </div>
  )
}
