/** What the scripts say, in the language of the page. */
const en = {
  copy: 'Copy',
  copied: 'Copied',
  notCopied: 'Not copied: choose the text and copy it',
  field: 'Search the documentation',
  loading: 'One moment …',
  nothing: 'Nothing is found for that.',
  failed: 'The search could not be loaded. Check your connection and try again.',
  found: (count: number): string =>
    count === 1 ? 'One found. Enter opens it.' : `${count} found. Enter opens the first.`,
  choose: 'choose',
  open: 'open',
  inEnglish: 'in English',
  colours: { system: 'Colours: as the system', light: 'Colours: light', dark: 'Colours: dark' },
}

const sv: typeof en = {
  copy: 'Kopiera',
  copied: 'Kopierat',
  notCopied: 'Inte kopierat: markera texten och kopiera den',
  field: 'Sök i dokumentationen',
  loading: 'Ett ögonblick …',
  nothing: 'Inget hittades.',
  failed: 'Sökningen kunde inte laddas. Kontrollera anslutningen och försök igen.',
  found: (count) =>
    count === 1 ? 'En träff. Enter öppnar den.' : `${count} träffar. Enter öppnar den första.`,
  choose: 'välj',
  open: 'öppna',
  inEnglish: 'på engelska',
  colours: { system: 'Färger: som systemet', light: 'Färger: ljusa', dark: 'Färger: mörka' },
}

export const words = document.documentElement.lang === 'sv' ? sv : en
