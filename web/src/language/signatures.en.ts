/** Texts of the member’s own signatures, in English. */
export const en = {
  title: 'Your signatures',
  intro: 'What you have signed with your electronic identity, as you read it.',
  none: 'You have signed nothing yet',
  noneText:
    'When you sign a connection, or allow an app something, what you signed is kept here as you read it.',
  connection: 'A connection',
  consent: 'Access for an app',
  identity: 'Electronic identity',
  company: 'Company',
  when: 'Signed',
  hash: 'SHA-256 of the record',
  by: 'By',
  demo: 'demo, which proves nothing',
  text: 'What you signed',
  download: 'Download as evidence',
  downloadText:
    'The text, the record that was signed, and the proof of the electronic identity, in one file.',
  failed: 'The evidence was not fetched',
  show: 'Show text',
  hide: 'Hide text',
  verifiable: 'Whoever has the file can verify it, without this service.',
  howToVerify: 'How evidence is verified',
}
