/** What a document may be written in. */
export const formats = ['json', 'json_lines', 'csv', 'sie'] as const
export type Format = (typeof formats)[number]
