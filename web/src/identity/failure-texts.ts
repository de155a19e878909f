import type { en } from '../language/identity.en.ts'
import type { Device, Provider } from './order.ts'

type BankIdMessage = keyof typeof en.bankId
type Next = keyof typeof en.next
type FailureText = `bankId.${BankIdMessage}` | `next.${Next}` | `reason.${keyof typeof en.reason}`

/** What BankID recommends to say of an order that has failed, and what the person can do then. */
function failedBankId(reason: string, isSigning: boolean, device: Device): [BankIdMessage, Next] {
  switch (reason) {
    case 'userCancel':
      return ['RFA6', 'again']
    case 'cancelled':
      return ['RFA3', 'replaced']
    case 'alreadyInProgress':
      return ['RFA4', 'inProgress']
    case 'expiredTransaction':
      return ['RFA8', 'network']
    case 'certificateErr':
      // BankID says the same of another person's, where one person is asked.
      return ['RFA16', isSigning ? 'own' : 'bank']
    case 'startFailed':
      return device === 'this' ? ['RFA17A', 'install'] : ['RFA17B', 'scan']
    case 'notSupportedByUserApp':
      return ['RFA22', 'update']
    case 'transactionRiskBlocked':
      return ['RFA22', 'risk']
    default:
      return ['RFA22', 'tell']
  }
}

/** What is said whoever the provider is. */
const ofAny = [
  'refused',
  'expired',
  'other_person',
  'other_network',
  'no_public_address',
  'unavailable',
  'not_verified',
] as const
/** Cancelled or collected elsewhere: by the same person in another window, most likely. */
const over = new Set(['ended', 'used', 'not_found'])

/** Whether an order was cancelled or collected elsewhere: then somebody may be signed in by it. */
export function isOverElsewhere(reason: string): boolean {
  return over.has(reason)
}

/** The texts that say why an order failed and what to do next, one after the other. */
export function failureTexts(
  reason: string,
  provider: Provider,
  isSigning: boolean,
  device: Device,
): FailureText[] {
  if (over.has(reason)) return ['reason.over']
  // The service keeps BankID's words for its own troubles to itself, and says this one for all of them.
  if (reason === 'unavailable' && provider === 'bankid') return ['bankId.RFA5', 'reason.unavailable']
  const own = ofAny.find((word) => word === reason)
  if (own !== undefined) return [`reason.${own}`]
  if (provider !== 'bankid') return ['reason.other']
  const [message, next] = failedBankId(reason, isSigning, device)
  return [`bankId.${message}`, `next.${next}`]
}

/** One's own refusal is no fault. */
export function isOwnRefusal(reason: string): boolean {
  return reason === 'refused' || reason === 'userCancel'
}
