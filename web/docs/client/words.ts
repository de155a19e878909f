/** The scripts' texts, in the language of the page. */
const en = {
  copy: 'Copy',
  copied: 'Copied',
  notCopied: 'Not copied: choose the text and copy it',
  loading: 'One moment …',
  nothing: 'Nothing found.',
  failed: 'The search could not be loaded. Check your connection and try again.',
  found: (count: number): string =>
    count === 1 ? 'One found. Enter opens it.' : `${count} found. Enter opens the first.`,
  inEnglish: 'in English',
  colours: { system: 'Colours: system', light: 'Colours: light', dark: 'Colours: dark' },
}

const sv: typeof en = {
  copy: 'Kopiera',
  copied: 'Kopierat',
  notCopied: 'Inte kopierat: markera texten och kopiera den',
  loading: 'Ett ögonblick …',
  nothing: 'Inga träffar.',
  failed: 'Det gick inte att hämta sökningen. Kontrollera din uppkoppling och försök igen.',
  found: (count) =>
    count === 1 ? 'En träff. Enter öppnar den.' : `${count} träffar. Enter öppnar den första.`,
  inEnglish: 'på engelska',
  colours: { system: 'Färger: enligt systemet', light: 'Färger: ljusa', dark: 'Färger: mörka' },
}

export const words = document.documentElement.lang === 'sv' ? sv : en
