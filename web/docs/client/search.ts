import type MiniSearch from 'minisearch'
import type { SearchResult } from 'minisearch'
import { indexOptions, type SearchEntry } from '../search-options.ts'
import { words } from './words.ts'

/** More than anyone looks through. */
const resultsMax = 20

const language = document.documentElement.lang

/** In Swedish, what is written in English alone is found too. */
function isShown({ language: written, translated }: SearchResult): boolean {
  return written === language || (language === 'sv' && translated !== true)
}

let loading: Promise<MiniSearch<SearchEntry>> | undefined

async function fetchIndex(): Promise<string> {
  const answer = await fetch(document.querySelector<HTMLElement>('[data-index]')!.dataset['index']!)
  if (!answer.ok) throw new Error(`The index: ${answer.status}`)
  return answer.text()
}

/** The index and what reads it, loaded once, when the search is first opened; again where that failed. */
function loadIndex(): Promise<MiniSearch<SearchEntry>> {
  loading ??= Promise.all([import('minisearch'), fetchIndex()])
    .then(([{ default: MiniSearch }, json]) => MiniSearch.loadJSON<SearchEntry>(json, indexOptions))
    .catch((error: unknown) => {
      loading = undefined
      throw error
    })
  return loading
}

function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children)
  return made
}

/** How much of a text stands before and after what was found in it. Characters. */
const beforeMax = 40
const afterMax = 160

/** The text around the first of the words that were found, which is marked. */
function excerptOf({ text, terms }: SearchResult): (Node | string)[] {
  const all = String(text)
  const lower = all.toLowerCase()
  // Of a few letters (İ) the small one is longer: places in it are none in the text.
  const places =
    lower.length === all.length ? terms.map((term) => [lower.indexOf(term), term.length] as const) : []
  const [at, length] = places.filter(([place]) => place >= 0).toSorted(([a], [b]) => a - b)[0] ?? [0, 0]
  const start = at <= beforeMax ? 0 : all.indexOf(' ', at - beforeMax) + 1
  const from = start > at ? at : start
  return [
    `${from > 0 ? '… ' : ''}${all.slice(from, at)}`,
    element('mark', {}, all.slice(at, at + length)),
    all.slice(at + length, at + length + afterMax),
  ]
}

function resultLink(result: SearchResult): HTMLLIElement {
  const { id, title, heading, language: written } = result
  const isForeign = written !== language
  const name = element('b', {}, heading === '' ? title : heading)
  const about = element('span', { className: 'about' }, heading === '' ? '' : title)
  if (isForeign) about.append(heading === '' ? words.inEnglish : ` · ${words.inEnglish}`)
  const text = element('span', { className: 'excerpt' }, ...excerptOf(result))
  const link = element('a', { href: id, className: 'result' }, name, ' ', about, text)
  if (isForeign) link.lang = written
  return element('li', {}, link)
}

/** As the company's pages draw it: not every font has arrows. */
function arrowOf(shape: string): string {
  return `<svg width="12" height="12" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.5" aria-hidden="true"><path d="${shape}"/></svg>`
}

interface SearchDialog {
  dialog: HTMLDialogElement
  input: HTMLInputElement
}

/**
 * A field, and links: the arrow keys go along them, a letter goes on with the text, and Enter in the field opens the first
 * (as on the company's pages, `web/src/frame/palette.tsx`).
 */
function onKeyDown(event: KeyboardEvent, { dialog, input }: SearchDialog): void {
  const links = [...dialog.querySelectorAll<HTMLAnchorElement>('a.result')]
  const at = links.indexOf(document.activeElement as HTMLAnchorElement)
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
    event.preventDefault()
    // The first is the field's own.
    const next = Math.max(at, 0) + (event.key === 'ArrowDown' ? 1 : -1)
    if (next <= 0) input.focus()
    else links[Math.min(next, links.length - 1)]?.focus()
  } else if (event.key === 'Enter' && at < 0 && !event.isComposing) {
    event.preventDefault()
    const [first] = links
    if (first === undefined) return
    if (event.ctrlKey || event.metaKey) open(first.href, '_blank', 'noreferrer')
    else first.click()
  } else if (at >= 0 && event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) {
    input.focus()
  }
}

/** Shows what is found for what is written in the field. */
function startFinding(input: HTMLInputElement, status: HTMLElement, results: HTMLElement): void {
  const say = (text: string): void => {
    status.textContent = text
    results.replaceChildren(...(text === '' ? [] : [element('p', { className: 'nothing' }, text)]))
  }
  const show = async (): Promise<void> => {
    const sought = input.value.trim()
    if (sought === '') return say('')
    let index
    try {
      index = await loadIndex()
    } catch {
      return say(words.failed)
    }
    // What was written meanwhile is shown by its own call.
    if (sought !== input.value.trim()) return
    const found = index.search(sought, { filter: isShown }).slice(0, resultsMax)
    if (found.length === 0) return say(words.nothing)
    status.textContent = words.found(found.length)
    results.replaceChildren(element('ul', {}, ...found.map(resultLink)))
  }
  input.addEventListener('input', () => {
    if (results.childElementCount === 0) say(words.loading)
    void show()
  })
}

function makeDialog(): SearchDialog {
  const input = element('input', {
    // Of a `search` field, Escape empties it first; here it closes.
    type: 'text',
    enterKeyHint: 'go',
    autocomplete: 'off',
    spellcheck: false,
    placeholder: words.field,
  })
  input.setAttribute('role', 'searchbox')
  input.setAttribute('aria-label', words.field)
  const status = element('p', { className: 'unseen' })
  status.setAttribute('role', 'status')
  const results = element('div', { className: 'results' })
  const key = (name: string): HTMLElement => element('kbd', {}, name)
  const arrow = (shape: string): HTMLElement => element('kbd', { innerHTML: arrowOf(shape) })
  const dialog = element(
    'dialog',
    { className: 'palette' },
    element('div', { className: 'top' }, input, key('Esc')),
    status,
    results,
    element(
      'div',
      { className: 'keys' },
      element(
        'span',
        {},
        arrow('M8 13V3M4 7l4-4 4 4'),
        ' ',
        arrow('M8 3v10M4 9l4 4 4-4'),
        ` ${words.choose}`,
      ),
      element('span', {}, key('Enter'), ` ${words.open}`),
    ),
  )
  dialog.setAttribute('aria-label', words.field)
  const made = { dialog, input }

  startFinding(input, status, results)
  dialog.addEventListener('keydown', (event) => onKeyDown(event, made))
  dialog.addEventListener('click', ({ target }) => {
    // Beside it, which is its backdrop, or on a link, which may lead to a heading of this page.
    if (target === dialog || (target as Element).closest('a') !== null) dialog.close()
  })
  document.body.append(dialog)
  return made
}

let made: SearchDialog | undefined

export function openSearch(): void {
  made ??= makeDialog()
  if (made.dialog.open) return
  made.dialog.showModal()
  made.input.select()
  // So that it is there when the first word is written.
  loadIndex().catch(() => undefined)
}
