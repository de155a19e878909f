import { showBar } from './bar.ts'
import { readColours, watchColours } from './colours.ts'
import { createConfiguration } from './configuration.ts'
import { fillIn, isReadOffered } from './fill-in.ts'
import { showHint } from './hint.ts'
import { createMarkedFetch } from './marked-fetch.ts'
import { startRepairs } from './repair-markup.ts'
import { requestConnection } from './request-connection.ts'

/** What is used of the library (`@scalar/api-reference`), whose script has no types. */
interface Scalar {
  createApiReference(place: Element, configuration: object): { destroy(): void }
}

declare global {
  interface Window {
    /** Defined by the library's own script, which is loaded after this one. */
    Scalar: Scalar
  }
}

/** The demo's published credential. */
const demoCredential = document.querySelector<HTMLMetaElement>('meta[name="numera-demo-credential"]')?.content
/** The reader's own, once they have chosen a sandbox connection. */
let ownCredential: string | undefined
let shown: ReturnType<Scalar['createApiReference']> | undefined

// The library adds its styles after the document's. Repeated at the end, the document's win.
const sheet = new CSSStyleSheet()
sheet.replaceSync(document.querySelector('style')!.textContent)
document.adoptedStyleSheets = [sheet]

const markedFetch = createMarkedFetch({
  onDocument: (answer) => fillIn(answer, ownCredential === undefined),
  onProductionRefused: () =>
    showHint({ text: 'production', action: { text: 'useSandbox', run: chooseConnection } }),
  onAppToken: () => {
    if (ownCredential === undefined && isReadOffered()) showHint({ text: 'app' })
  },
})

/** Shows the reference from the start. The scroll position stays, typed values do not. */
function show(): void {
  shown?.destroy()
  const place = document.querySelector('#reference')!
  place.replaceChildren()
  const credential = ownCredential ?? demoCredential ?? ''
  const configuration = createConfiguration(credential, readColours(), markedFetch)
  shown = window.Scalar.createApiReference(place, configuration)
}

function chooseConnection(): void {
  requestConnection((credential) => {
    ownCredential = credential
    show()
    showHint({ text: 'inUse' })
  })
}

function onLoad(): void {
  show()
  startRepairs()
  watchColours()
  const button = document.querySelector<HTMLButtonElement>('#own-connection')!
  button.disabled = false
  button.addEventListener('click', chooseConnection)
}

/** Skips the long list of operations. */
function skipToText(): void {
  const text = document.querySelector<HTMLElement>('#reference main')
  if (text === null) return
  text.tabIndex = -1
  text.focus()
}

readColours()
showBar()
document.querySelector('#to-text')!.addEventListener('click', skipToText)
document.querySelector('#scalar')!.addEventListener('load', onLoad)
