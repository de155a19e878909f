import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type ApiResponse, callApi } from '../../api/call-api.ts'
import { useCompany } from '../../company/company.ts'
import { companyKey } from '../../company/lists.ts'
import { useFormat } from '../../company/use-format.ts'
import { useLinks } from '../../company/use-links.ts'
import { addDays } from '../../language/format-day.ts'
import { Fact, Facts } from '../../ui/display/facts.tsx'
import { Loaded } from '../../ui/feedback/loaded.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { Card } from '../../ui/layout/card.tsx'
import { Section } from '../../ui/layout/section.tsx'
import { useNow } from '../../ui/use-now.ts'
import type { ShownSource } from '../declaration.ts'
import classes from './overview.module.css'

const showDays = 'GET /console/companies/{company_id}/sources/{source_id}/days'

type SourceDays = ApiResponse<typeof showDays>
type SourceDay = SourceDays['days'][number]

function useDays(source_id: string, isTest: boolean, last: string) {
  const { company_id } = useCompany()
  return useQuery({
    queryKey: companyKey(company_id, 'sources', source_id, 'days', isTest, last),
    queryFn: () =>
      callApi(showDays, { path: { company_id, source_id }, query: { sandbox: isTest ? 'true' : 'false' } }),
    staleTime: 60_000,
  })
}

/** Every day up to today, those without deliveries too. */
function fillDays({ from, days }: SourceDays, today: string): SourceDay[] {
  const known = new Map(days.map((day) => [day.day, day]))
  const filled: SourceDay[] = []
  for (let day = from; day <= today; day = addDays(day, 1)) {
    const none = { day, deliveries: 0, rows_accepted: 0, rows_refused: 0, unreadable: 0 }
    filled.push(known.get(day) ?? none)
  }
  return filled
}

/** How a source has delivered lately. */
export function Overview({ data: { source, activity, stored } }: { data: ShownSource }) {
  const { t } = useTranslation('sources')
  const format = useFormat()
  const now = useNow()
  const links = useLinks()
  const last = activity.last_delivery!
  const days = useDays(source.source_id, last.sandbox, last.artifact_id)
  const { usual_seconds } = activity.freshness
  const count = format.count(stored.deliveries)
  return (
    <Card>
      <Section>
        <Facts>
          <Fact name={t('overview.last')}>
            <Link {...links.delivery(last.artifact_id)}>{format.near(last.received_at, now)}</Link>
            {last.sandbox && <span className="quiet"> {t('overview.onlyTest')}</span>}
          </Fact>
          <Fact name={t('overview.rhythm')}>
            {usual_seconds === null ? t('overview.noRhythm') : format.rhythm(usual_seconds)}
          </Fact>
          <Fact name={t('overview.stored')}>
            <Link {...links.deliveries} search={{ source: source.source_id }}>
              {t(stored.more ? 'overview.storedMore' : 'overview.storedCount', {
                count: stored.deliveries,
                deliveries: count,
              })}
            </Link>
            , {format.bytes(stored.content_bytes)}
          </Fact>
        </Facts>
      </Section>
      <Loaded query={days} skeleton={skeleton}>
        {(data) => <Days days={fillDays(data, format.today(now))} />}
      </Loaded>
    </Card>
  )
}

const skeleton = (
  <Section>
    <Skeleton blocks={[{ width: 'wide', height: 240 }]} />
  </Section>
)

function Days({ days }: { days: readonly SourceDay[] }) {
  const { t } = useTranslation('sources')
  const format = useFormat()
  const sum = (key: 'rows_accepted' | 'rows_refused'): number =>
    days.reduce((total, day) => total + day[key], 0)
  return (
    <>
      {(['rows_accepted', 'rows_refused'] as const).map((key) => (
        <Section
          key={key}
          title={t(`overview.${key}`)}
          line={t('overview.sum', { rows: format.count(sum(key)), count: days.length })}
        >
          <Bars days={days} of={key} />
        </Section>
      ))}
      <div className="unseen">
        <table>
          <caption>{t('overview.caption')}</caption>
          <thead>
            <tr>
              {(['day', 'deliveries', 'rows_accepted', 'rows_refused', 'unreadable'] as const).map((key) => (
                <th key={key} scope="col">
                  {t(`overview.column.${key}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map(({ day, deliveries, rows_accepted, rows_refused, unreadable }) => (
              <tr key={day}>
                <th scope="row">{format.day(day)}</th>
                {Object.entries({ deliveries, rows_accepted, rows_refused, unreadable }).map(
                  ([key, each]) => (
                    <td key={key}>{format.count(each)}</td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

const height = 64

/** A bar for each day. The table has the same in words. */
function Bars({ days, of }: { days: readonly SourceDay[]; of: 'rows_accepted' | 'rows_refused' }) {
  const format = useFormat()
  const highest = Math.max(1, ...days.map((day) => day[of]))
  return (
    <div className={classes.chart} aria-hidden="true">
      <svg viewBox={`0 0 ${days.length * 10} ${height}`} preserveAspectRatio="none" focusable="false">
        {days.map((day, index) => {
          // The smallest is still visible.
          const tall = day[of] === 0 ? 0 : Math.max(2, (day[of] / highest) * height)
          return (
            <rect
              key={day.day}
              x={index * 10 + 1}
              y={height - tall}
              width="8"
              height={tall}
              className={classes[of]}
            >
              <title>{`${format.day(day.day)}: ${format.count(day[of])}`}</title>
            </rect>
          )
        })}
      </svg>
      <p className="small">
        <span>{format.day(days[0]!.day)}</span>
        <span>{format.day(days.at(-1)!.day)}</span>
      </p>
    </div>
  )
}
