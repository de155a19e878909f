import { expect, test } from 'vitest'
import { startWebhookScene } from '../../../../testing/in-process/scenes/webhook-scene.ts'

const { send } = await startWebhookScene()

/** Sends twenty small deliveries at the same time, and gives the milliseconds of the slowest. */
const sendSmall = async (name: string): Promise<number> => {
  const took = Array.from({ length: 20 }, async (_, index) => {
    const startedMs = performance.now()
    expect((await send(`${name}-${index}`, `{"amount":"${name}-${index}"}`)).statusCode).toBe(202)
    return performance.now() - startedMs
  })
  return Math.max(...(await Promise.all(took)))
}

test('Small deliveries are answered while large ones are verified and read', async () => {
  const slowestAloneMs = await sendSmall('alone')
  const large = Array.from({ length: 4 }, (_, index) =>
    send(`large-${index}`, Buffer.from(`[${' '.repeat(8_000_000 + index)}]`)),
  )
  let largeDone = 0
  for (const answer of large) void answer.then(() => largeDone++)
  const slowestMs = await sendSmall('small')
  expect(largeDone).toBeLessThan(4)
  // A busy machine takes longer for small deliveries alone, too.
  expect(slowestMs).toBeLessThan(Math.max(1_000, 10 * slowestAloneMs))
  expect((await Promise.all(large)).map(({ statusCode }) => statusCode)).toEqual([202, 202, 202, 202])
})
