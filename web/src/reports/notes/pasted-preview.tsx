import { isolate } from '../../language/isolate.ts'
import { useTexts } from '../../language/language.ts'
import kit from '../../ui/display/table.module.css'
import { Note } from '../../ui/feedback/note.tsx'
import classes from './notes.module.css'

/** What a pasted table would change. */
export function PastedPreview({
  caption,
  head,
  areNumbers = false,
  rows,
}: {
  caption: string
  /** Of the first column. */
  head: string
  areNumbers?: boolean
  rows: { key: string; name: string; now: string; next: string }[]
}) {
  const t = useTexts('notes')
  const side = areNumbers ? kit.end : ''
  return (
    <section aria-label={caption}>
      <h3>{caption}</h3>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled with the arrow keys */}
      <div className={`${kit.scroll} ${classes.preview}`} tabIndex={0}>
        <table className={kit.table}>
          <caption className="unseen">{caption}</caption>
          <thead>
            <tr>
              <th scope="col">{head}</th>
              <th scope="col" className={side}>
                {t('now')}
              </th>
              <th scope="col" className={side}>
                {t('next')}
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, name, now, next }) => (
              <tr key={key}>
                <th scope="row">
                  <bdi>{name}</bdi>
                </th>
                <td className={`${side} quiet`}>
                  <bdi>{now}</bdi>
                </td>
                <td className={side}>
                  <bdi>{next}</bdi>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

/** The most lines that are listed. */
const linesMax = 20

/** Lines that were not understood, and why. */
export function RefusedLines({
  title,
  refused,
}: {
  title: string
  refused: { line: number; text: string; why: string }[]
}) {
  const t = useTexts('notes')
  if (refused.length === 0) return null
  return (
    <Note tone="amber" icon="warning" role="status" title={title}>
      <ul>
        {refused.slice(0, linesMax).map(({ line, text, why }) => (
          <li key={line}>
            {t('line', { line, text: isolate(text) })} {why}
          </li>
        ))}
        {refused.length > linesMax && <li>…</li>}
      </ul>
    </Note>
  )
}
