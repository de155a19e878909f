import type MiniSearch from 'minisearch'
import type { SearchResult } from 'minisearch'
import { walkLinks } from '../../src/ui/overlays/walk-links.ts'
import { indexOptions, type SearchEntry } from '../search-options.ts'
import { element } from './element.ts'
import { words } from './words.ts'

const resultsMax = 20

/** How much text an excerpt shows before and after a match, in characters. */
const beforeMax = 40
const afterMax = 160

const language = document.documentElement.lang
const dialog = document.querySelector<HTMLDialogElement>('#search')!
const input = dialog.querySelector('input')!
const status = dialog.querySelector('[role="status"]')!
const results = dialog.querySelector('.results')!

/** In Swedish, pages that exist only in English are found too. */
function isShown({ language: written, translated }: SearchResult): boolean {
  return written === language || (language === 'sv' && translated !== true)
}

let loading: Promise<MiniSearch<SearchEntry>> | undefined

async function fetchIndex(): Promise<string> {
  const answer = await fetch(dialog.dataset['index']!)
  if (!answer.ok) throw new Error(`The index: ${answer.status}`)
  return answer.text()
}

/** Loads the index and its library once, when the search is first opened; again after a failure. */
function loadIndex(): Promise<MiniSearch<SearchEntry>> {
  loading ??= Promise.all([import('minisearch'), fetchIndex()])
    .then(([{ default: MiniSearch }, json]) => MiniSearch.loadJSON<SearchEntry>(json, indexOptions))
    .catch((error: unknown) => {
      loading = undefined
      throw error
    })
  return loading
}

/** The text around the first match, which is marked. */
function toExcerpt({ text, terms }: SearchResult): (Node | string)[] {
  const all = String(text)
  const lower = all.toLowerCase()
  // A few letters (İ) are longer in lower case, so that positions differ.
  const places =
    lower.length === all.length ? terms.map((term) => [lower.indexOf(term), term.length] as const) : []
  const [at, length] = places.filter(([place]) => place >= 0).toSorted(([a], [b]) => a - b)[0] ?? [0, 0]
  const start = at <= beforeMax ? 0 : all.indexOf(' ', at - beforeMax) + 1
  const from = Math.min(start, at)
  return [
    `${from > 0 ? '… ' : ''}${all.slice(from, at)}`,
    element('mark', {}, all.slice(at, at + length)),
    all.slice(at + length, at + length + afterMax),
  ]
}

function toResult(result: SearchResult): HTMLLIElement {
  const { id, title, heading, language: written } = result
  const isForeign = written !== language
  const about = [heading !== '' && title, isForeign && words.inEnglish].filter(Boolean).join(' · ')
  const link = element(
    'a',
    { href: id, className: 'result' },
    element('b', {}, heading === '' ? title : heading),
    ' ',
    element('span', { className: 'about' }, about),
    element('span', { className: 'about excerpt' }, ...toExcerpt(result)),
  )
  if (isForeign) link.lang = written
  return element('li', {}, link)
}

function say(text: string): void {
  status.textContent = text
  results.replaceChildren(...(text === '' ? [] : [element('p', { className: 'nothing quiet' }, text)]))
}

/** Shows the results for the text in the field. */
async function find(): Promise<void> {
  const text = input.value.trim()
  if (text === '') return say('')
  const index = await loadIndex().catch(() => undefined)
  // A later call handles what was typed since.
  if (text !== input.value.trim()) return
  if (index === undefined) return say(words.failed)
  const found = index.search(text, { filter: isShown }).slice(0, resultsMax)
  if (found.length === 0) return say(words.nothing)
  status.textContent = words.found(found.length)
  results.replaceChildren(element('ul', { className: 'plain' }, ...found.map(toResult)))
}

function openSearch(): void {
  if (dialog.open) return
  dialog.showModal()
  input.select()
  // Ready when the first word is typed.
  loadIndex().catch(() => undefined)
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select') !== null
}

/** Opens the search from its buttons, with Ctrl K as on the company's pages, and with a slash. */
export function startSearch(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-search]')) {
    button.hidden = false
    button.addEventListener('click', openSearch)
  }
  document.addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, target } = event
    const isControlK = key.toLowerCase() === 'k' && (ctrlKey || metaKey) && !altKey
    const isSlash = key === '/' && !ctrlKey && !metaKey && !altKey && !isTyping(target)
    if (!isControlK && !isSlash) return
    event.preventDefault()
    openSearch()
  })
  input.addEventListener('input', () => {
    if (results.childElementCount === 0) say(words.loading)
    void find()
  })
  dialog.addEventListener('keydown', (event) => walkLinks(event, dialog))
  dialog.addEventListener('click', ({ target }) => {
    // On the backdrop, or on a link, which may lead to a heading of this page.
    if (target === dialog || (target as Element).closest('a') !== null) dialog.close()
  })
}
