/** What may need attention. Readers see the first two, which are about figures. */
export const readerKinds = ['source_late', 'period_corrected'] as const
export const attentionKinds = [
  ...readerKinds,
  'rows_refused',
  'paused_refusing',
  'connection_ends',
  'credential_ends',
  'secret_ends',
  'limit_near',
  'parsing_late',
] as const
export type AttentionKind = (typeof attentionKinds)[number]

/** Something that needs attention. */
export interface AttentionItem {
  /** The same for as long as it lasts. */
  key: string
  /** Another one where something new has happened: a mark of an earlier version no longer counts. */
  version: string
  kind: AttentionKind
  /** Null where that is not known. */
  since: Date | null
  source: { sourceId: string; name: string } | null
  connection: { connectionId: string; name: string } | null
  /** Of a corrected month. */
  metric: string | null
  periodStart: string | null
  /** The delivery with refused rows. */
  artifactId: string | null
  /** Refused rows, null if it could not be read; refused calls; waiting deliveries; per cent of a limit. */
  count: number | null
  endsAt: Date | null
  limit: string | null
}

/** Who marked it as done, and when. */
export interface AttentionMark {
  memberId: string
  name: string | null
  at: Date
}
