import type { Replies } from './api-stub.ts'
import { exampleConsent, exampleOrder } from './examples.ts'
import { signedIn } from './replies.ts'

export const address = '/oauth/authorize?client_id=app-1&state=a%20b'
export const query = 'client_id=app-1&state=a%20b'
export const callback = 'https://ledger.example/callback?code=nac_1'
export const signing = {
  ...exampleOrder(),
  state: 'signing' as const,
  visible_text: 'I allow Ledger Insight …',
}
export const replies: Replies = {
  ...signedIn,
  'POST /console/authorize': () => exampleConsent(),
  'POST /console/authorize/sign': () => signing,
  'POST /console/authorize/sign/{order_id}/collect': () => ({ state: 'pending' }),
}
