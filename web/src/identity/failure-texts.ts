import type { en } from '../language/en/identity.ts'
import type { Device, Provider } from './order.ts'

type BankIdMessage = keyof typeof en.bankId
type Next = keyof typeof en.next
type FailureText = `bankId.${BankIdMessage}` | `next.${Next}` | `reason.${keyof typeof en.reason}`

/** The message that BankID recommends for a failed order, and what the person can do then. */
function toBankIdTexts(reason: string, isSigning: boolean, device: Device): [BankIdMessage, Next] {
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
      // Also the answer where a particular person must sign, and another one does.
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

/** Reasons whose text is the same for every provider. */
const commonReasons = [
  'refused',
  'expired',
  'other_person',
  'other_network',
  'no_public_address',
  'unavailable',
  'not_verified',
] as const
const overReasons = new Set(['ended', 'used', 'not_found'])

/** Whether an order was cancelled or collected elsewhere, most likely by the same person in another window. */
export function isOverElsewhere(reason: string): boolean {
  return overReasons.has(reason)
}

/** The keys of the texts that say why an order failed and what to do next. */
export function failureTexts(
  reason: string,
  provider: Provider,
  isSigning: boolean,
  device: Device,
): FailureText[] {
  if (isOverElsewhere(reason)) return ['reason.over']
  // The service reports all of BankID's internal errors as this one.
  if (reason === 'unavailable' && provider === 'bankid') return ['bankId.RFA5', 'reason.unavailable']
  const common = commonReasons.find((word) => word === reason)
  if (common !== undefined) return [`reason.${common}`]
  if (provider !== 'bankid') return ['reason.other']
  const [message, next] = toBankIdTexts(reason, isSigning, device)
  return [`bankId.${message}`, `next.${next}`]
}

/** Whether the person refused, which is no error. */
export function isOwnRefusal(reason: string): boolean {
  return reason === 'refused' || reason === 'userCancel'
}
