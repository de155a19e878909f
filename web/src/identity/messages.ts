import { useTranslation } from 'react-i18next'
import { en } from '../language/en/identity.ts'
import { sv } from '../language/sv/identity.ts'
import { addTexts } from '../language/language.ts'
import { isMobile } from './device.ts'
import { failureTexts } from './failure-texts.ts'
import type { Device, PageOrder, Provider } from './order.ts'

addTexts('identity', { en, sv })

/** The message that BankID recommends while an order is pending. It may send hints that are not listed here. */
function toBankIdMessage(
  hint: string,
  { device, isLaunched }: Pick<PageOrder, 'device' | 'isLaunched'>,
): keyof typeof en.bankId {
  const isHere = device === 'this'
  switch (hint) {
    case 'outstandingTransaction':
      return isHere && isLaunched ? 'RFA13' : 'RFA1'
    case 'noClient':
      return 'RFA1'
    case 'started':
      if (!isHere) return 'RFA21'
      return isMobile() ? 'RFA15B' : 'RFA15A'
    case 'userMrtd':
      return 'RFA23'
    case 'userSign':
      return 'RFA9'
    default:
      return 'RFA21'
  }
}

/** What a pending order is waiting for. Providers without details send `outstanding`. */
export function usePendingMessage(
  order: Pick<PageOrder, 'device' | 'isLaunched'>,
  hint: string | undefined,
  isSignIn: boolean,
): string {
  const { t } = useTranslation('identity')
  return hint === undefined || hint === 'outstanding'
    ? t(isSignIn ? 'waiting.signIn' : 'waiting.signing')
    : t(`bankId.${toBankIdMessage(hint, order)}`)
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
