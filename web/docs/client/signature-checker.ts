import { checkSignature } from './check-signature.ts'
import { element } from './element.ts'

export function startSignatureChecker(form: HTMLFormElement): void {
  function show(lines: readonly { fits: boolean; sentence: string }[]): void {
    const items = lines.map(({ fits, sentence }) =>
      element(
        'li',
        { className: fits ? 'fits' : 'wrong' },
        element('b', {}, fits ? 'Fits: ' : 'Does not match: '),
        sentence,
      ),
    )
    form.querySelector('.outcome')!.replaceChildren(element('ul', { className: 'plain' }, ...items))
  }

  async function check(): Promise<void> {
    const values = new FormData(form)
    const text = (name: string): string => String(values.get(name) ?? '')
    const file = values.get('file')
    const body =
      file instanceof File && file.name !== ''
        ? new Uint8Array(await file.arrayBuffer())
        : // Not from `values`, whose lines end in CRLF.
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

  // Browsers provide it on https and on localhost only.
  if (globalThis.crypto?.subtle === undefined) {
    show([{ fits: false, sentence: 'This browser checks signatures only on pages loaded over https.' }])
  } else form.querySelector('fieldset')!.disabled = false
}
