import { useInfiniteQuery } from '@tanstack/react-query'
import { type ApiResponse, callApi } from '../../api/call-api.ts'
import type { FigureQuery } from '../../company/figure-address.ts'
import { companyKey } from '../../company/lists.ts'
import { useFormat } from '../../company/use-format.ts'
import { isolate } from '../../language/isolate.ts'
import { useTexts } from '../../language/language.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Check } from '../../ui/controls/check.tsx'
import { Badge } from '../../ui/display/badge.tsx'
import kit from '../../ui/display/table.module.css'
import { Loaded, More } from '../../ui/feedback/loaded.tsx'
import { Note } from '../../ui/feedback/note.tsx'
import type { ReportSearch } from '../report-search.ts'
import classes from './trace-drawer.module.css'

const showDifference = 'GET /console/companies/{company_id}/deliveries/{artifact_id}/difference'

type Difference = ApiResponse<typeof showDifference>
type Change = Difference['rows'][number]
type Row = NonNullable<Change['before']>

const kinds = ['gone', 'added', 'changed'] as const

interface TraceChangesProps {
  companyId: string
  figure: FigureQuery
  unit: string
  /** The later statement, and the one it is compared with. */
  after: string
  before: string
  /** Fields by which rows are matched; without any they are proposed. */
  chosen: readonly string[]
  onChange: (search: Pick<ReportSearch, 'changed' | 'against' | 'key'>) => void
}

/** What changed of a figure's rows between two statements: sums for each kind, and the rows, the largest difference first. */
export function TraceChanges({
  companyId,
  figure,
  unit,
  after,
  before,
  chosen,
  onChange,
}: TraceChangesProps) {
  const t = useTexts('reports')
  const given = chosen.length === 0 ? {} : { key: [...chosen] }
  const choose = (key: string[]): void => onChange({ changed: after, against: before, key })
  const list = useInfiniteQuery({
    queryKey: companyKey(companyId, 'deliveries', after, 'difference', before, figure, chosen),
    queryFn: ({ pageParam: cursor }) =>
      callApi(showDifference, {
        path: { company_id: companyId, artifact_id: after },
        query: { ...figure, ...given, with: before, ...(cursor !== '' && { cursor }) },
      }),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }: Difference) => next_cursor,
    // Stored deliveries never change.
    staleTime: Infinity,
    placeholderData: (known) => known,
  })
  return (
    <>
      <div>
        <Button small variant="quiet" onClick={() => onChange({})}>
          {t('changes.back')}
        </Button>
      </div>
      <Loaded query={list}>
        {({ pages }) => {
          const [first] = pages as [Difference]
          if (first.state !== 'parsed') {
            return (
              <Note tone="red" title={t('changes.unreadable')}>
                {first.reason !== null && <span lang="en">{first.reason}</span>}
              </Note>
            )
          }
          return (
            <>
              <Sums of={first} unit={unit} />
              <KeyChoice of={first} chosen={chosen} onChoose={choose} />
              <ol className={classes.list}>
                {pages
                  .flatMap(({ rows }) => rows)
                  .map((change) => (
                    <ChangedRow
                      key={`${change.before?.row} ${change.after?.row}`}
                      change={change}
                      of={first}
                      unit={unit}
                    />
                  ))}
              </ol>
              <More list={list} />
            </>
          )
        }}
      </Loaded>
    </>
  )
}

function Sums({ of, unit }: { of: Difference; unit: string }) {
  const t = useTexts('reports')
  const format = useFormat()
  const signed = (value: string | null) => (value === null ? '–' : format.figure(value, unit, { sign: true }))
  return (
    <table className={`${kit.table} ${classes.table} ${classes.sums}`}>
      <caption className="unseen">{t('changes.title')}</caption>
      <tbody>
        {kinds.map((kind) => (
          <tr key={kind}>
            <th scope="row">
              {t(`changes.${kind}`)}
              <span className={kit.second}>
                {t('rows', { count: of[kind].rows, number: format.count(of[kind].rows) })}
              </span>
            </th>
            <td className={kit.end}>{signed(of[kind].difference)}</td>
          </tr>
        ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">
            {t('difference')}
            <span className={kit.second}>
              {t('changes.same', { count: of.rows_same, number: format.count(of.rows_same) })}
            </span>
          </th>
          <td className={kit.end}>{signed(of.difference)}</td>
        </tr>
      </tfoot>
    </table>
  )
}

interface KeyChoiceProps {
  of: Difference
  chosen: readonly string[]
  onChoose: (key: string[]) => void
}

function KeyChoice({ of, chosen, onChoose }: KeyChoiceProps) {
  const t = useTexts('reports')
  const { fields } = of
  const key = chosen.length === 0 ? of.key : chosen
  return (
    <>
      <details>
        <summary>{t('changes.matched', { fields: key.map(isolate).join(', ') })}</summary>
        <fieldset className={classes.key}>
          <legend className="small">{t('changes.keyText')}</legend>
          {fields.map(({ name }) => (
            <Check
              key={name}
              label={<bdi>{name}</bdi>}
              checked={key.includes(name)}
              disabled={key.length === 1 && key[0] === name}
              onChange={(checked) =>
                onChoose(checked ? [...key, name] : key.filter((other) => other !== name))
              }
            />
          ))}
        </fieldset>
      </details>
      {!of.key_unique && <p className="small">{t('changes.repeated')}</p>}
    </>
  )
}

function ChangedRow({ change, of, unit }: { change: Change; of: Difference; unit: string }) {
  const t = useTexts('reports')
  const format = useFormat()
  const { kind, before, after, difference } = change
  const row = (after ?? before)!
  const shown = of.fields.filter(
    ({ name }) => kind !== 'changed' || of.key.includes(name) || change.fields?.includes(name),
  )
  return (
    <li className={classes.delivery}>
      <div className={classes.head}>
        <span>
          <Badge>{t(`changes.one.${kind}`)}</Badge>{' '}
          <span className="small">
            {kind === 'changed'
              ? t('changes.moved', { before: format.count(before!.row), after: format.count(row.row) })
              : t('changes.row', { row: format.count(row.row) })}
          </span>
        </span>
        {difference !== null && (
          <b className={classes.figure}>{format.figure(difference, unit, { sign: true })}</b>
        )}
      </div>
      <p className={`small ${classes.values}`}>
        {shown.map(({ name }) => {
          const at = of.fields.findIndex((field) => field.name === name)
          const isChanged = kind === 'changed' && change.fields?.includes(name) === true
          return (
            <span key={name}>
              <bdi className="quiet">{name}</bdi>{' '}
              {isChanged && (
                <>
                  <s>
                    <Value row={before!} at={at} />
                  </s>{' '}
                </>
              )}
              <Value row={row} at={at} />
            </span>
          )
        })}
      </p>
    </li>
  )
}

function Value({ row, at }: { row: Row; at: number }) {
  const t = useTexts('reports')
  const value = row.values?.[at] ?? null
  if (value === null) return <span className="quiet">–</span>
  return value.masked === true ? (
    <span className="quiet">{t('changes.masked')}</span>
  ) : (
    <bdi>{value.text}</bdi>
  )
}
