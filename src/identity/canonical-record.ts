import { canonicalJson } from '../json/canonical-json.ts'

/** The one form of a record that is signed: sorted keys, no white space. Takes plain JSON values. */
export const canonicalRecord = (record: Record<string, unknown>): string =>
  canonicalJson(Buffer.from(JSON.stringify(record))).toString()
