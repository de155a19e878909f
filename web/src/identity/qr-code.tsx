import { encodeQR } from 'qr'
import { useMemo } from 'react'
import classes from './qr-code.module.css'

/** Modules of light around the code (ISO/IEC 18004, section 5.3.8). */
const quietModules = 4

/**
 * A QR code, dark on light whatever colours the page has: cameras read no other. A text that is followed by another is drawn in the
 * same place, and a screen reader hears of none.
 *
 * @param name what it is for
 */
export function QrCode({ text, name }: { text: string; name: string }) {
  const { size, path } = useMemo(() => draw(text), [text])
  return (
    <svg role="img" aria-label={name} viewBox={`0 0 ${size} ${size}`} className={classes.code}>
      <path d={path} />
    </svg>
  )
}

/** Each row's dark modules, run by run. A screen is not torn or stained: the least correction gives the largest modules. */
function draw(text: string): { size: number; path: string } {
  const rows = encodeQR(text, 'raw', { ecc: 'low', border: quietModules })
  let path = ''
  for (const [y, row] of rows.entries()) {
    for (let x = 0; x < row.length; x++) {
      if (!row[x]) continue
      const start = x
      while (row[x + 1]) x++
      const width = x - start + 1
      path += `M${start} ${y}h${width}v1h-${width}z`
    }
  }
  return { size: rows.length, path }
}
