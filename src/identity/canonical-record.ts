import { canonicalJson } from '../json/canonical-json.ts'

/** The form in which a record is signed: sorted keys, no white space. Takes plain JSON values. */
export function canonicalRecord(record: Record<string, unknown>): string {
  return canonicalJson(Buffer.from(JSON.stringify(record))).toString()
}
