import { useTranslation } from 'react-i18next'
import classes from './skeleton.module.css'

/** What a screen reader hears while blocks are seen. */
function Said() {
  const { t } = useTranslation()
  return (
    <span role="status" className="unseen">
      {t('ui.loading')}
    </span>
  )
}

/**
 * Blocks in the place of what is loading, of its final size, so that nothing moves when it comes. They show after 150 ms.
 *
 * @param blocks from the top: width and height in px, or `wide` for all of the width
 */
export function Skeleton({ blocks }: { blocks: readonly { width: number | 'wide'; height: number }[] }) {
  return (
    <div className={classes.skeleton}>
      <Said />
      {blocks.map(({ width, height }, index) => (
        <div
          // oxlint-disable-next-line react/no-array-index-key -- blocks have no name
          key={index}
          className={classes.block}
          style={{ width: width === 'wide' ? '100%' : width, height }}
        />
      ))}
    </div>
  )
}

/** In the place of a table or list. */
export function SkeletonRows({ rows = 5 }: { rows?: number }) {
  return (
    <div className={`${classes.skeleton} ${classes.rows}`}>
      <Said />
      {Array.from({ length: rows }, (_row, index) => (
        <div key={index} className={classes.row}>
          <div className={classes.block} style={{ width: 160 + ((index * 67) % 120), height: 16 }} />
        </div>
      ))}
    </div>
  )
}

/** Where the size of what comes is not known. */
export function Loading() {
  const { t } = useTranslation()
  return (
    <p role="status" className={classes.loading}>
      {t('ui.loading')}
    </p>
  )
}
