import { checkSignature } from './check-signature.ts'

const form = document.querySelector<HTMLFormElement>('form[data-signature-checker]')!
const outcome = form.querySelector<HTMLElement>('.outcome')!

function show(lines: readonly { fits: boolean; sentence: string }[]): void {
  const list = document.createElement('ul')
  for (const { fits, sentence } of lines) {
    const line = document.createElement('li')
    line.className = fits ? 'fits' : 'wrong'
    const word = document.createElement('b')
    word.textContent = fits ? 'Fits: ' : 'Does not match: '
    line.append(word, sentence)
    list.append(line)
  }
  outcome.replaceChildren(list)
}

async function check(): Promise<void> {
  const values = new FormData(form)
  const text = (name: string): string => String(values.get(name) ?? '')
  const file = values.get('file')
  const body =
    file instanceof File && file.name !== ''
      ? new Uint8Array(await file.arrayBuffer())
      : // A form's own lines end in CRLF.
        new TextEncoder().encode(form.querySelector('textarea')!.value)
  show(
    await checkSignature({
      secret: text('secret'),
      deliveryId: text('delivery-id'),
      signature: text('signature'),
      body,
      nowMs: Date.now(),
    }),
  )
}

form.addEventListener('submit', (event) => {
  event.preventDefault()
  void check()
})

// Browsers have it where the page came by https, or from this machine.
if (globalThis.crypto?.subtle === undefined) {
  show([{ fits: false, sentence: 'This browser checks signatures only on pages that came by https.' }])
} else form.querySelector('fieldset')!.disabled = false
