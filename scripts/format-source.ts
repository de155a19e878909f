import { format, type FormatConfig } from 'oxfmt'
import settings from '../.oxfmtrc.json' with { type: 'json' }

/** Formats source text as `npm run format` does. */
export async function formatSource(path: string, text: string): Promise<string> {
  const { code, errors } = await format(path, text, settings as FormatConfig)
  if (errors.length > 0) throw new Error(`${path}: ${errors.map(({ message }) => message).join('; ')}`)
  return code
}
