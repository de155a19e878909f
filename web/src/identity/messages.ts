import { useTranslation } from 'react-i18next'
import { en } from '../language/identity.en.ts'
import { sv } from '../language/identity.sv.ts'
import { addTexts } from '../language/language.ts'
import { failureTexts } from './failure-texts.ts'
import type { Device, Provider } from './order.ts'

addTexts('identity', { en, sv })

type BankIdMessage = keyof typeof en.bankId

/** How the person came to the app, and on what. */
interface Circumstances {
  /** Which the order is for. */
  device: Device
  /** The person has opened the app. */
  isLaunched: boolean
  isMobile: boolean
}

/** What BankID recommends to say while an order is pending. It may send words that are not known here. */
function pendingBankId(hint: string, { device, isLaunched, isMobile }: Circumstances): BankIdMessage {
  const isHere = device === 'this'
  switch (hint) {
    case 'outstandingTransaction':
      return isHere && isLaunched ? 'RFA13' : 'RFA1'
    case 'noClient':
      return 'RFA1'
    case 'started':
      if (!isHere) return 'RFA21'
      return isMobile ? 'RFA15B' : 'RFA15A'
    case 'userMrtd':
      return 'RFA23'
    case 'userSign':
      return 'RFA9'
    default:
      return 'RFA21'
  }
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
export function useFailureMessage(
  isSigning: boolean,
): (reason: string, provider: Provider, device: Device) => string {
  const { t } = useTranslation('identity')
  return (reason, provider, device) => {
    const name = provider === 'bankid' ? 'BankID' : t('electronicIdentity')
    const texts = failureTexts(reason, provider, isSigning, device)
    return texts.map((text) => t(text, { provider: name, reason })).join(' ')
  }
}
