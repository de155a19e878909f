import { useState } from 'react'
import type { Language } from '../language/language.ts'
import { Section } from '../ui/layout/section.tsx'
import { type Device, type Order, type PageOrder, type Progress, toPageOrder } from './order.ts'
import { OrderPanel } from './order-panel.tsx'
import { type Purpose, recallOrder } from './remembered-order.ts'
import { SignedText } from './signed-text.tsx'
import type { OrderProps } from './use-order.ts'

/** A text that is being signed. */
export interface Signing {
  order: PageOrder
  /** Not known for a continued order until the service sends it. */
  text: string | undefined
  language: Language | undefined
}

/** A new signing, from the service's answer. */
export function toSigning(order: Order, language: Language, device: Device): Signing {
  return { order: toPageOrder(order, device), text: order.visible_text, language }
}

/** A signing that was started by an earlier page, or in another tab. */
export function recallSigning(purpose: Purpose): Signing | undefined {
  const order = recallOrder(purpose)
  return order && { order, text: undefined, language: order.language }
}

/** Sections of a card that show the text to be signed, and wait for the signature. */
export function SigningPanel<Collected extends Progress & { visible_text?: string }>({
  title,
  signing: { order, text: knownText, language },
  collect,
  ...rest
}: Omit<OrderProps<Collected>, 'order'> & { title: string; signing: Signing; onCancel: () => void }) {
  const [receivedText, setReceivedText] = useState<string>()
  const text = knownText ?? receivedText

  async function collectText(signal: AbortSignal): Promise<Collected> {
    const progress = await collect(signal)
    if (progress.visible_text !== undefined) setReceivedText(progress.visible_text)
    return progress
  }

  return (
    <>
      {text !== undefined && (
        <Section title={title}>
          <SignedText text={text} language={language} />
        </Section>
      )}
      <Section>
        <OrderPanel {...rest} order={order} collect={collectText} />
      </Section>
    </>
  )
}
