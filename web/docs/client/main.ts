import '../style/docs.css'
import { addCopyButton } from './copy-button.ts'
import { startSearch } from './search.ts'
import { words } from './words.ts'

const colourChoices = ['system', 'light', 'dark'] as const

/** Light or dark, stored on this device for the company's pages too. */
function startColours(): void {
  const { dataset } = document.documentElement
  const button = document.querySelector<HTMLButtonElement>('[data-colours-switch]')!
  const label = button.querySelector('span')!
  const current = (): (typeof colourChoices)[number] =>
    colourChoices.find((choice) => choice === dataset['colours']) ?? 'system'
  label.textContent = words.colours[current()]
  button.hidden = false
  button.addEventListener('click', () => {
    const next = colourChoices[(colourChoices.indexOf(current()) + 1) % colourChoices.length]!
    if (next === 'system') delete dataset['colours']
    else dataset['colours'] = next
    label.textContent = words.colours[next]
    try {
      localStorage.setItem('numera.colours', next)
    } catch {
      // The choice lasts until the page is left.
    }
  })
}

/** A heading is being read once it is this close to the top; at the end of the page, the last one is. In px. */
const nearTop = 120

/** Marks the heading that is being read in the list of contents. */
function followReading(): void {
  const contents = document.getElementById('contents')
  if (contents === null) return
  const links = [...contents.querySelectorAll('a')]
  const headings = links.map(({ hash }) => document.getElementById(decodeURIComponent(hash.slice(1)))!)
  // As a popover it would cover the heading.
  contents.addEventListener('click', ({ target }) => {
    if ((target as Element).closest('a') !== null && contents.matches(':popover-open')) contents.hidePopover()
  })
  let isScheduled = false
  function mark(): void {
    isScheduled = false
    const isAtEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 1
    const current = isAtEnd
      ? headings.length - 1
      : headings.findLastIndex((heading) => heading.getBoundingClientRect().top < nearTop)
    for (const [index, link] of links.entries()) link.ariaCurrent = index === current ? 'true' : null
  }
  function onScroll(): void {
    if (!isScheduled) requestAnimationFrame(mark)
    isScheduled = true
  }
  addEventListener('scroll', onScroll, { passive: true })
  mark()
}

/** The service's address in the code blocks of the guides: the default of `npm start`. */
const writtenAddress = 'http://localhost:8080'

/** Puts this service's own address into the blocks, so that copied code calls it. */
function putOwnAddress(): void {
  for (const code of document.querySelectorAll('figure.code code')) {
    const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT)
    while (texts.nextNode() !== null) {
      const text = texts.currentNode as Text
      if (text.data.includes(writtenAddress))
        text.data = text.data.replaceAll(writtenAddress, location.origin)
    }
  }
}

putOwnAddress()
for (const block of document.querySelectorAll('figure.code')) addCopyButton(block)
startSearch()
startColours()
followReading()

// Each is on one page only.
const demo = document.querySelector<HTMLElement>('[data-demo]')
if (demo !== null) void import('./demo.ts').then(({ startDemo }) => startDemo(demo))
const checker = document.querySelector<HTMLFormElement>('[data-signature-checker]')
if (checker !== null)
  void import('./signature-checker.ts').then(({ startSignatureChecker }) => startSignatureChecker(checker))
