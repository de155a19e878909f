import { useFormat } from '../company/use-format.ts'
import { useTexts } from '../language/language.ts'
import { Icon } from '../ui/icon.tsx'
import classes from './change-line.module.css'

/**
 * How a value differs from another one; ink both ways, since it is not ours to say whether more is good.
 *
 * @param on what it is compared with, within a sentence
 */
export function ChangeLine({ value, base, on }: { value: string | null; base: string | null; on: string }) {
  const t = useTexts('reports')
  const change = useFormat().change(value, base)
  if (change === undefined) {
    return <p className={classes.line}>{base === null ? t('noFigureFor', { period: on }) : null}</p>
  }
  return (
    <p className={classes.line}>
      {change.direction === 'same' ? (
        <>
          <b>{t('unchanged')}</b> <span>{t('since', { period: on })}</span>
        </>
      ) : (
        <>
          <Icon name={change.direction === 'up' ? 'arrowUp' : 'arrowDown'} size={12} />
          <span className="unseen">{t(change.direction)}</span> <b>{change.text}</b>{' '}
          <span>{t('on', { period: on })}</span>
        </>
      )}
    </p>
  )
}
