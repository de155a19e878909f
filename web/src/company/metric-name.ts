import type { TFunction } from 'i18next'

/** What a metric is called: one that every company knows in the page's language, any other as it was given. */
export function metricName(t: TFunction<'translation'>, key: string, given: string): string {
  return key === 'revenue' || key === 'active_users' ? t(`metric.${key}`) : given
}
