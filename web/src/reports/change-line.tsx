import { useFormat } from '../company/use-format.ts'
import { useTexts } from '../language/language.ts'
import { Icon } from '../ui/display/icon.tsx'
import classes from './change-line.module.css'

/**
 * How a value differs from another; in the same colour both ways, since whether more is good depends on the metric.
 *
 * @param on what it is compared with, within a sentence
 */
export function ChangeLine({
  value,
  base,
  unit,
  on,
}: {
  value: string | null
  base: string | null
  unit: string
  on: string
}) {
  const t = useTexts('reports')
  const change = useFormat().change(value, base, unit)
  const className = `small ${classes.line}`
  if (change === undefined) {
    return <p className={className}>{base === null ? t('noFigureFor', { period: on }) : null}</p>
  }
  const { direction, text } = change
  if (direction === 'same') {
    return (
      <p className={className}>
        <b>{t('unchanged')}</b> <span>{t('since', { period: on })}</span>
      </p>
    )
  }
  return (
    <p className={className}>
      <Icon name={direction === 'up' ? 'arrowUp' : 'arrowDown'} size={12} />
      <span className="unseen">{t(direction)}</span> <b>{text}</b> <span>{t('on', { period: on })}</span>
    </p>
  )
}
