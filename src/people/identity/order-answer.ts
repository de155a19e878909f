/** Orders as the console API answers with them. Absent members are undefined, which JSON leaves out. */
import type { OrderProgress, Presentation, WithIdentity } from './identity-provider.ts'
import type { BegunOrder } from './order.ts'

function toPresentationAnswer({ openUrl, launchUrl, qrText }: Presentation) {
  return { open_url: openUrl, launch_url: launchUrl, qr_text: qrText }
}

export function toPendingAnswer({
  state,
  hint,
  presentation,
  visibleText,
}: Extract<OrderProgress, { state: 'pending' }> & { visibleText?: string }) {
  return { state, hint, presentation: toPresentationAnswer(presentation), visible_text: visibleText }
}

export function toBegunOrderAnswer(
  { identity }: WithIdentity,
  { orderId, answerBy, presentation, visibleText }: BegunOrder & { visibleText?: string },
) {
  return {
    order_id: orderId,
    expires_at: answerBy.toISOString(),
    demo: identity.demo,
    presentation: toPresentationAnswer(presentation),
    visible_text: visibleText,
  }
}
