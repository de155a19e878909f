import { useCompany } from '../company/company.ts'
import { useTexts } from '../language/language.ts'
import { Button } from '../ui/controls/button.tsx'
import { useCopy } from '../ui/display/copy.tsx'
import { LiveRegion } from '../ui/feedback/live.tsx'
import { MenuItem, Popover } from '../ui/overlays/popover.tsx'
import { freeze, toSaved, type ViewSearch } from './view-search.ts'

/**
 * Copies a link with the whole view: one whose days follow the calendar, or one to these days with the figures as they are now.
 *
 * @param props.viewId of a view that colleagues can open
 */
export function CopyLink({
  search,
  today,
  viewId = 'new',
}: {
  search: ViewSearch
  today: string
  viewId: string | undefined
}) {
  const t = useTexts('views')
  const reports = useTexts('reports')
  const { company_id, fiscal_year_month } = useCompany()
  const toLink = (of: ViewSearch): string =>
    `${location.origin}/companies/${company_id}/views/${viewId}?${toSaved(of)}`
  const rolling = useCopy(() => toLink(search))
  const frozen = useCopy(() => toLink(freeze(search, today, fiscal_year_month, new Date().toISOString())))
  const isCopied = rolling.result !== undefined || frozen.result !== undefined
  return (
    <>
      <LiveRegion>{isCopied && t('copied')}</LiveRegion>
      <Popover
        label={reports('copyLink')}
        end
        renderButton={(opener) => (
          <Button {...opener} icon={isCopied ? 'check' : 'copy'}>
            {isCopied ? t('copied') : reports('copyLink')}
          </Button>
        )}
      >
        <MenuItem icon="calendar" onClick={rolling.onClick}>
          {t('copyRolling')}
        </MenuItem>
        <MenuItem icon="clock" onClick={frozen.onClick}>
          {t('copyFrozen')}
        </MenuItem>
      </Popover>
    </>
  )
}
