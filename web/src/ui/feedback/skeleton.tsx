import { useTranslation } from 'react-i18next'
import { Card } from '../layout/card.tsx'
import classes from './skeleton.module.css'

function Announcement() {
  const { t } = useTranslation()
  return (
    <span role="status" className="unseen">
      {t('ui.loading')}
    </span>
  )
}

/**
 * Blocks of the size of what is loading, so that nothing moves when it arrives. Shown after 150 ms.
 *
 * @param props.blocks from the top: width and height in px, or `wide` for all of the width
 */
export function Skeleton({ blocks }: { blocks: readonly { width: number | 'wide'; height: number }[] }) {
  return (
    <div className={classes.skeleton}>
      <Announcement />
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
    <div className={classes.skeleton}>
      <Card>
        <Announcement />
        {Array.from({ length: rows }, (_row, index) => (
          <div key={index} className={classes.row}>
            <div className={classes.block} style={{ width: 160 + ((index * 67) % 120), height: 16 }} />
          </div>
        ))}
      </Card>
    </div>
  )
}

/** Where the size of what is loading is not known. Shown after 300 ms. */
export function Loading() {
  const { t } = useTranslation()
  return (
    <p role="status" className={`quiet ${classes.loading}`}>
      {t('ui.loading')}
    </p>
  )
}
