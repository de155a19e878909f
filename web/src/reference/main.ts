import icon from '../ui/icon.svg'
import { askForConnection } from './ask-for-connection.ts'
import { readColours, watchColours } from './colours.ts'
import { configurationOf } from './configuration.ts'
import { showHint } from './hint.ts'
import style from './reference.css?inline'
import type { Scalar } from './scalar.ts'

declare global {
  interface Window {
    /** The library's own script, which comes after this one. */
    Scalar: Scalar
  }
}

/** A credential that the reference uses without a word from the visitor: of the demo, or just made. */
let credential = document.querySelector<HTMLMetaElement>('meta[name="numera-demo-credential"]')?.content ?? ''
let shown: ReturnType<Scalar['createApiReference']> | undefined

const sheet = new CSSStyleSheet()
sheet.replaceSync(style)
document.adoptedStyleSheets = [sheet]
const link = document.createElement('link')
link.rel = 'icon'
link.href = icon
document.head.append(link)

/** Shows the reference anew: what was typed into it goes, where one stands in it stays. */
function show(): void {
  shown?.destroy()
  const place = document.querySelector('#reference')!
  place.replaceChildren()
  shown = window.Scalar.createApiReference(place, configurationOf(credential, readColours()))
}

function whenLoaded(): void {
  show()
  watchColours((colours) => shown?.updateConfiguration(configurationOf(credential, colours)))
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

readColours()
document.querySelector('#scalar')!.addEventListener('load', whenLoaded)
