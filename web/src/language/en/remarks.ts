/** Texts about accepted rows that need a second look, in English. */
export const en = {
  missing_one: '{{metric}}: {{rows}} row had no “{{field}}” and added nothing.',
  missing_other: '{{metric}}: {{rows}} rows had no “{{field}}” and added nothing.',
  similar: 'The delivery had “{{key}}”, which is not a field of the source. Did you mean “{{field}}”?',
  missingAdvice: {
    events:
      'If the value should be there, correct the system that sends it and send these rows again with a new key. Other metrics that have already counted the rows will count them twice.',
    statements:
      'If the value should be there, correct the system that sends it, then send each period in full, with a new key.',
  },
  ahead_one: '{{rows}} row is dated more than 366 days ahead.',
  ahead_other: '{{rows}} rows are dated more than 366 days ahead.',
  aheadRows_one: 'Row {{rows}}.',
  aheadRows_other: 'Rows {{rows}}.',
  aheadMore: 'and {{rows}} more',
  aheadAdvice: {
    events:
      'They count on the date they have. If it is wrong, cancel the row with one of the opposite sign, then send it with the right date and a new key.',
    statements:
      'They count in the period they have. If it is wrong, send that period again with the value 0, and the right one with all its rows.',
  },
}
