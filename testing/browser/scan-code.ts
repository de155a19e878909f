import { setTimeout as sleep } from 'node:timers/promises'
import type { Locator, Page } from 'playwright-core'
import type { PhoneOrder } from '../../stand-ins/bankid/orders.ts'
import type { BankIdStandIn } from '../../stand-ins/bankid/start-bankid-stand-in.ts'
import { readCode } from './read-code.ts'

const triesMax = 5

/** The QR code for BankID's app, on a page in English. */
export const codeOn = (page: Page): Locator => page.getByRole('img', { name: /^QR code to scan/ })

/** Scans the code with the app. It tries several times, since the code may change meanwhile. */
export const scanCode = async (bankId: BankIdStandIn, page: Page): Promise<PhoneOrder> => {
  await codeOn(page).waitFor()
  for (let tries = 1; ; tries++) {
    try {
      return bankId.phone.scan(await readCode(codeOn(page)))
    } catch (error) {
      if (tries === triesMax) throw error
      await sleep(300)
    }
  }
}
