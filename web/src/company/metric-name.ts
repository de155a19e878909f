import type { TFunction } from 'i18next'

/** A metric's name: of a known one in the page's language, of any other as given. */
export function metricName(t: TFunction<'translation'>, key: string, given: string): string {
  return key === 'revenue' || key === 'active_users' ? t(`metric.${key}`) : given
}
