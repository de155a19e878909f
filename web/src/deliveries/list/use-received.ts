import { useTranslation } from 'react-i18next'
import { useCompany } from '../../company/company.ts'
import { useFormat } from '../../company/use-format.ts'
import { dayAt } from '../../language/format-instant.ts'
import { capitalize } from '../../language/capitalize.ts'

/**
 * Writes when something was received as short as possible: the time with seconds for today, else the day and the time.
 *
 * @param named writes "Today" before the time, where nothing else says which day it is
 */
export function useReceived(now: number): (instant: string, options?: { named?: boolean }) => string {
  const { t } = useTranslation('deliveries')
  const { time_zone } = useCompany()
  const format = useFormat()
  const today = format.today(now)
  return (instant, { named = false } = {}) => {
    const day = dayAt(instant, time_zone)
    if (day !== today) return t('dayTime', { day: format.dayRange(day, day), time: format.time(instant) })
    const time = format.timeWithSeconds(instant)
    return named ? t('dayTime', { day: capitalize(format.ahead(0, 'day')), time }) : time
  }
}
