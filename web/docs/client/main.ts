import '../style/docs.css'
import { addCopyButton } from './copy-button.ts'
import { openSearch } from './search.ts'
import { words } from './words.ts'

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select') !== null
}

/** The button in the side, and the keys: Ctrl K as on the company's pages, and a slash. */
function startSearch(): void {
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
}

const choices = ['system', 'light', 'dark'] as const

/** Light or dark, remembered on this device, where the company's pages find it too. */
function startColours(): void {
  const { dataset } = document.documentElement
  for (const button of document.querySelectorAll<HTMLButtonElement>('[data-colours-switch]')) {
    const label = button.querySelector('span')!
    const current = (): (typeof choices)[number] =>
      choices.find((choice) => choice === dataset['colours']) ?? 'system'
    label.textContent = words.colours[current()]
    button.hidden = false
    button.addEventListener('click', () => {
      const next = choices[(choices.indexOf(current()) + 1) % choices.length]!
      if (next === 'system') delete dataset['colours']
      else dataset['colours'] = next
      label.textContent = words.colours[next]
      try {
        localStorage.setItem('numera.colours', next)
      } catch {
        // Then it holds until the page is left.
      }
    })
  }
}

/** Marks in the list of contents which heading is being read. */
function followReading(): void {
  const links = new Map(
    [...document.querySelectorAll<HTMLAnchorElement>('.contents a')].map((link) => [
      decodeURIComponent(link.hash.slice(1)),
      link,
    ]),
  )
  if (links.size === 0) return
  // Over the page of a narrow screen it would cover what it leads to.
  const contents = document.getElementById('contents')!
  contents.addEventListener('click', ({ target }) => {
    if ((target as Element).closest('a') !== null && contents.matches(':popover-open')) contents.hidePopover()
  })
  const headings = [...links.keys()].map((id) => document.getElementById(id)!)
  /** A heading counts as read once it is this near to the top; at the end of the page the last one does. Pixels. */
  const nearTop = 120
  const mark = (): void => {
    const isAtEnd = scrollY + innerHeight >= document.documentElement.scrollHeight - 1
    const read = isAtEnd
      ? headings.at(-1)
      : headings.findLast((heading) => heading.getBoundingClientRect().top < nearTop)
    for (const [id, link] of links) {
      if (id === read?.id) link.setAttribute('aria-current', 'true')
      else link.removeAttribute('aria-current')
    }
  }
  let asked = false
  addEventListener(
    'scroll',
    () => {
      if (asked) return
      asked = true
      requestAnimationFrame(() => {
        asked = false
        mark()
      })
    },
    { passive: true },
  )
  mark()
}

/** Where the blocks of the guides say that the service is: what `npm start` serves at, unless it is told otherwise. */
const writtenAddress = 'http://localhost:8080'

/** Puts this service's own address into the blocks, so that what is copied from them calls it. */
function putOwnAddress(): void {
  if (location.origin === writtenAddress) return
  for (const code of document.querySelectorAll('figure.code code')) {
    const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT)
    while (texts.nextNode() !== null) {
      const text = texts.currentNode
      if (text.nodeValue!.includes(writtenAddress)) {
        text.nodeValue = text.nodeValue!.replaceAll(writtenAddress, location.origin)
      }
    }
  }
}

/** On a demo deployment, the front page has a place for what can be tried there. */
function startDemo(): void {
  const place = document.querySelector<HTMLElement>('[data-demo]')
  if (place !== null) void import('./demo.ts').then((demo) => demo.startDemo(place))
}

putOwnAddress()
for (const block of document.querySelectorAll('figure.code')) addCopyButton(block)
startSearch()
startColours()
followReading()
startDemo()
