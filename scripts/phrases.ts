/**
 * Phrases that read as a translation. The remedy is another sentence, rarely another word. `npm run phrases` looks for
 * them in the whole tree, `web/src/language/texts.test.ts` in the texts of the pages.
 */
const phrases = [
  'anew',
  'anybody',
  '(?<!all )at once',
  'coalesc(?:e|es|ed|er|ing)(?!\\()',
  'go(?:es)? on',
  'goes on',
  '(?:is|are|was|were|be|been) told(?! apart)',
  'holds? up',
  'lanes?',
  'mend(?:s|ed|ing)?',
  'nobody',
  'refold(?:s|ed|ing)?',
  'somebody',
  'unless said',
  'whatever',
  'whoever',
]

/** Between two words of a phrase: a space, or the end of a line of a comment and the beginning of the next. */
const gap = '\\s+(?:(?:\\*|//|--|#)\\s+)?'

/** A subject without a noun: "Who has nothing yet gets …". */
const headless = `(?<=(?:^|[.:]|\\*|//|--)\\s)Who${gap}(?:asks|can|does|had|has|is|knows|was)\\b[^.?]*\\b(?:can|gets?|gives|has|is|may|must|needs)\\b`

const pattern = `(?<!-)\\b(?:${phrases.map((phrase) => phrase.replaceAll(' ', gap)).join('|')})\\b(?!-)`

export interface FoundPhrase {
  phrase: string
  line: number
}

export function findPhrases(text: string): FoundPhrase[] {
  return [...text.matchAll(new RegExp(pattern, 'gi')), ...text.matchAll(new RegExp(headless, 'gm'))]
    .map(({ 0: phrase, index }) => ({
      phrase: phrase.replaceAll(/\s+(?:(?:\*|\/\/|--|#)\s+)?/g, ' '),
      line: text.slice(0, index).split('\n').length,
    }))
    .toSorted((a, b) => a.line - b.line)
}
