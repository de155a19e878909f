import { hash } from 'node:crypto'

/** An answer as it is sent. */
export interface RenderedAnswer {
  bytes: Buffer
  /** A strong entity tag, with its quotation marks. */
  etag: string
}

/** Renders JSON text, with a tag made from its bytes. */
export function toRenderedAnswer(json: string): RenderedAnswer {
  const bytes = Buffer.from(json)
  return { bytes, etag: `"${hash('sha256', bytes, 'base64url').slice(0, 27)}"` }
}
