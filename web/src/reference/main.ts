import { askForConnection } from './ask-for-connection.ts'
import { showBar } from './bar.ts'
import { readColours, watchColours } from './colours.ts'
import { configurationOf } from './configuration.ts'
import { fillIn, isReadOffered } from './fill-in.ts'
import { showHint } from './hint.ts'
import { createMarkedFetch } from './marked-fetch.ts'
import { mendMarkup } from './mend-markup.ts'
import type { Scalar } from './scalar.ts'

declare global {
  interface Window {
    /** The library's own script, which comes after this one. */
    Scalar: Scalar
  }
}

/** The demo's credential, which is published. */
const demoCredential = document.querySelector<HTMLMetaElement>('meta[name="numera-demo-credential"]')?.content
/** That of the reader's own sandbox connection, once they have chosen one. */
let ownCredential: string | undefined
let shown: ReturnType<Scalar['createApiReference']> | undefined

// The library adds its styles behind those of the document; once more at the end, ours hold against them.
const sheet = new CSSStyleSheet()
sheet.replaceSync(document.querySelector('style')!.textContent)
document.adoptedStyleSheets = [sheet]

const markedFetch = createMarkedFetch({
  onDocument: (answer) => fillIn(answer, ownCredential === undefined),
  onProductionRefused: () =>
    showHint({ text: 'production', action: { text: 'useSandbox', run: askForOwnConnection } }),
  onAppToken: () => {
    if (ownCredential === undefined && isReadOffered()) showHint({ text: 'app' })
  },
})

/** Shows the reference from its beginning: what was typed into it is gone, the place in it stays. */
function show(): void {
  shown?.destroy()
  const place = document.querySelector('#reference')!
  place.replaceChildren()
  const credential = ownCredential ?? demoCredential ?? ''
  shown = window.Scalar.createApiReference(place, configurationOf(credential, readColours(), markedFetch))
}

function askForOwnConnection(): void {
  askForConnection((credential) => {
    ownCredential = credential
    show()
    showHint({ text: 'inUse' })
  })
}

function whenLoaded(): void {
  show()
  mendMarkup()
  watchColours()
  const button = document.querySelector<HTMLButtonElement>('#own-connection')!
  button.disabled = false
  button.addEventListener('click', askForOwnConnection)
}

/** Past the list of operations, which is long. */
function skipToText(): void {
  const text = document.querySelector<HTMLElement>('#reference main')
  if (text === null) return
  text.tabIndex = -1
  text.focus()
}

readColours()
showBar()
document.querySelector('#to-text')!.addEventListener('click', skipToText)
document.querySelector('#scalar')!.addEventListener('load', whenLoaded)
