import { expect, test } from 'vitest'
import { lookOver } from '../../../testing/browser/screens.ts'
import { byBankId } from '../testing/bankid-scene.ts'
import { exampleSession, exampleSignature } from '../testing/examples.ts'
import { replies } from '../testing/frame-scene.ts'
import { startPages } from '../testing/start-pages.ts'

const open = startPages()

test('A signature shows what was signed, and is downloaded as evidence', async () => {
  const { page } = await open('/signatures', replies)
  await page.getByRole('button', { name: /^Show text/ }).click()
  expect(await page.getByRole('blockquote').textContent()).toBe('I sign the connection Ledger nightly.')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: /^Download as evidence/ }).click()
  expect((await downloading).suggestedFilename()).toBe('numera-signature-2026-09-02-signature-1.json')
  expect(await lookOver(page, 'signatures')).toEqual([])
})

test('A signature names BankID and how to verify its evidence', async () => {
  const { page } = await open('/signatures', {
    'GET /console/session': () => exampleSession({ identity: byBankId }),
    'GET /console/signatures': () => ({
      signatures: [{ ...exampleSignature(), provider: 'bankid' }],
      next_cursor: null,
    }),
  })
  await page.getByText('BankID', { exact: true }).waitFor()
  const link = page.getByRole('link', { name: 'How to verify evidence' })
  expect(await link.getAttribute('href')).toBe('/docs/electronic-identity#verify-what-was-signed')
})
