import { askForConnection } from './ask-for-connection.ts'
import { readColours, watchColours } from './colours.ts'
import { configurationOf } from './configuration.ts'
import { showHint } from './hint.ts'
import { mendMarkup } from './mend-markup.ts'
import style from './reference.css?inline'
import type { Scalar } from './scalar.ts'

declare global {
  interface Window {
    /** The library's own script, which comes after this one. */
    Scalar: Scalar
  }
}

/** What is filled in: the demo's credential, which is published, or that of a connection that was chosen. */
let credential = document.querySelector<HTMLMetaElement>('meta[name="numera-demo-credential"]')?.content ?? ''
let shown: ReturnType<Scalar['createApiReference']> | undefined

const sheet = new CSSStyleSheet()
sheet.replaceSync(style)
document.adoptedStyleSheets = [sheet]

/** Shows the reference anew: what was typed into it goes, where one stands in it stays. */
function show(): void {
  shown?.destroy()
  const place = document.querySelector('#reference')!
  place.replaceChildren()
  shown = window.Scalar.createApiReference(place, configurationOf(credential, readColours()))
}

function whenLoaded(): void {
  show()
  mendMarkup()
  watchColours()
  const button = document.querySelector<HTMLButtonElement>('#own-connection')!
  button.disabled = false
  button.addEventListener('click', () => {
    askForConnection((made) => {
      credential = made
      show()
      showHint('in-use')
    })
  })
}

/** Past the list of operations, which is long. */
function skipToText(): void {
  const text = document.querySelector<HTMLElement>('#reference main')
  if (text === null) return
  text.tabIndex = -1
  text.focus()
}

readColours()
document.querySelector('#to-text')!.addEventListener('click', skipToText)
document.querySelector('#scalar')!.addEventListener('load', whenLoaded)
