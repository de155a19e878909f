import { canonicalJson } from '../json/canonical-json.ts'

/** The one form of a record that is signed: sorted keys, no white space. Takes plain JSON values. */
export function canonicalRecord(record: Record<string, unknown>): string {
  return canonicalJson(Buffer.from(JSON.stringify(record))).toString()
}
