import { encodeQR } from 'qr'
import { useMemo } from 'react'
import classes from './qr-code.module.css'

/** Light modules around the code (ISO/IEC 18004, section 5.3.8). */
const quietModules = 4

/** A QR code, always dark on light, since cameras read no other. Later texts are drawn in place, without being announced. */
export function QrCode({ text, name }: { text: string; name: string }) {
  const { size, path } = useMemo(() => draw(text), [text])
  return (
    <svg role="img" aria-label={name} viewBox={`0 0 ${size} ${size}`} className={classes.code}>
      <path d={path} />
    </svg>
  )
}

/** Draws runs of dark modules. A screen is never damaged, so the least error correction gives the largest modules. */
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
