/** Texts of the member’s own signatures, in English. */
export const en = {
  title: 'Your signatures',
  intro: 'What you have signed with your electronic identity.',
  none: 'You have signed nothing yet',
  noneText:
    'When you sign a connection, or allow an app something, what you signed is kept here as you read it.',
  connection: 'A connection',
  consent: 'Access for an app',
  identity: 'Electronic identity',
  company: 'Company',
  hash: 'SHA-256 of the record',
  by: 'By',
  demo: 'demo, which proves nothing',
  text: 'What you signed',
  download: 'Download as evidence',
  show: 'Show text',
  hide: 'Hide text',
}
