import { useTranslation } from 'react-i18next'
import { useCompany } from '../company/company.ts'
import { useFormat } from '../company/use-format.ts'
import { dayAt } from '../language/format-instant.ts'

/**
 * When something was received, as short as it can be told: to the second today, else the day and the time.
 *
 * @param named "Today" is said, where it stands alone
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
    return named ? t('todayTime', { time }) : time
  }
}
