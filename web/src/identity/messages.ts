import { useTranslation } from 'react-i18next'
import { en } from '../language/identity.en.ts'
import { sv } from '../language/identity.sv.ts'
import { addTexts } from '../language/language.ts'
import type { Provider } from './order.ts'

addTexts('identity', { en, sv })

type BankIdMessage = keyof typeof en.bankId
type Next = keyof typeof en.next

/** How the person came to the app, and on what. */
interface Circumstances {
  /** The app was opened on this device, and no code scanned. */
  isLaunched: boolean
  isMobile: boolean
}

/** What BankID recommends to say while an order is pending. It may send words that are not known here. */
function pendingBankId(hint: string, { isLaunched, isMobile }: Circumstances): BankIdMessage {
  switch (hint) {
    case 'outstandingTransaction':
      return isLaunched ? 'RFA13' : 'RFA1'
    case 'noClient':
      return 'RFA1'
    case 'started':
      return isMobile ? 'RFA15B' : 'RFA15A'
    case 'userMrtd':
      return 'RFA23'
    case 'userSign':
      return 'RFA9'
    default:
      return 'RFA21'
  }
}

/** What BankID recommends to say of an order that has failed, and what the person can do then. */
function failedBankId(reason: string, isLaunched: boolean): [BankIdMessage, Next] {
  switch (reason) {
    case 'userCancel':
      return ['RFA6', 'again']
    case 'cancelled':
      return ['RFA3', 'replaced']
    case 'alreadyInProgress':
      return ['RFA4', 'inProgress']
    case 'requestTimeout':
    case 'internalError':
    case 'maintenance':
      return ['RFA5', 'later']
    case 'expiredTransaction':
      return ['RFA8', 'network']
    case 'certificateErr':
      return ['RFA16', 'bank']
    case 'startFailed':
      return isLaunched ? ['RFA17A', 'install'] : ['RFA17B', 'scan']
    case 'notSupportedByUserApp':
      return ['RFA22', 'update']
    case 'transactionRiskBlocked':
      return ['RFA22', 'risk']
    default:
      return ['RFA22', 'tell']
  }
}

/** What is said whoever the provider is. */
const ofAny = ['refused', 'expired', 'other_person', 'unavailable', 'not_verified'] as const
/** Cancelled or collected elsewhere: by the same person in another window, most likely. */
const over = new Set(['ended', 'used', 'not_found'])

/** Whether an order was cancelled or collected elsewhere: then somebody may be signed in by it. */
export function isOverElsewhere(reason: string): boolean {
  return over.has(reason)
}

/** What is waited for: `outstanding` is said by a provider that says no more. */
export function usePendingMessage(
  purpose: 'signIn' | 'signing',
): (hint: string | undefined, circumstances: Circumstances) => string {
  const { t } = useTranslation('identity')
  return (hint, circumstances) =>
    hint === undefined || hint === 'outstanding'
      ? t(`waiting.${purpose}`)
      : t(`bankId.${pendingBankId(hint, circumstances)}`)
}

/** Why an order failed, and what to do next. */
export function useFailureMessage(): (reason: string, provider: Provider, isLaunched: boolean) => string {
  const { t } = useTranslation('identity')
  return (reason, provider, isLaunched) => {
    if (over.has(reason)) return t('reason.over')
    const own = ofAny.find((word) => word === reason)
    const name = provider === 'bankid' ? 'BankID' : t('electronicIdentity')
    if (own !== undefined) return t(`reason.${own}`, { provider: name })
    if (provider !== 'bankid') return t('reason.other', { reason })
    const [message, next] = failedBankId(reason, isLaunched)
    return `${t(`bankId.${message}`)} ${t(`next.${next}`, { reason })}`
  }
}

/** One's own refusal is no fault. */
export function isOwnRefusal(reason: string): boolean {
  return reason === 'refused' || reason === 'userCancel'
}
