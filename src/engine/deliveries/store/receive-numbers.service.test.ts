import { beforeEach, expect, test } from 'vitest'
import { seedScene } from '../../../../testing/in-process/scenes/scene.ts'
import { startTestService } from '../../../../testing/in-process/test-service.ts'
import { raiseReceiveNumbers } from './receive-numbers.ts'

const { context, app } = await startTestService()

let companyId: string
let bearer: string
beforeEach(async () => {
  const { company, connection } = await seedScene(context, {
    source: {},
    connection: {},
  })
  companyId = company.companyId
  bearer = connection.credential!
})

const push = async (key: string): Promise<void> => {
  const answer = await app.inject({
    method: 'POST',
    url: '/v1/ingest',
    headers: { authorization: `Bearer ${bearer}` },
    payload: { idempotency_key: key, shape_version: 1, payload: [{ at: '2026-02-01', amount: '1' }] },
  })
  expect(answer.statusCode).toBe(202)
}

/** The receive numbers, in the order of the keys. */
const readNumbers = async (): Promise<number[]> => {
  const { rows } = await context.pool.query<{ number: string }>(
    `select receive_number::text as number from deliveries where company_id = $1 order by idempotency_key`,
    [companyId],
  )
  return rows.map(({ number }) => Number(number))
}

const expectRising = (numbers: readonly number[]): void => {
  expect(numbers).toEqual([...new Set(numbers)].toSorted((one, other) => one - other))
  expect(numbers.at(-1)).toBeLessThan(Number.MAX_SAFE_INTEGER)
}

/** As if another node, with a sequence of its own, had stored the deliveries until now. */
const moveFrom = async (range: number): Promise<void> => {
  await context.pool.query(
    'update receive_numbering set node_range = $1, number_offset = number_offset - 1000000',
    [range],
  )
}

test('receive numbers rise when a shard continues on another node, and back', async () => {
  await push('1')
  await moveFrom(7)
  await push('2')
  await push('3')
  await moveFrom(8)
  await push('4')
  expectRising(await readNumbers())
})

test('calls at the moment of a move are all stored, with numbers of their own', async () => {
  await moveFrom(7)
  await Promise.all(Array.from({ length: 20 }, (_, index) => push(`key-${index}`)))
  const numbers = await readNumbers()
  expect(new Set(numbers).size).toBe(20)
})

test('the numbers of a shard are raised above those of a company that moves there, and never lowered', async () => {
  await push('1')
  await raiseReceiveNumbers(context.pool, 10n ** 12n)
  await push('2')
  await raiseReceiveNumbers(context.pool, 10n ** 6n)
  await push('3')
  const numbers = await readNumbers()
  expectRising(numbers)
  expect(numbers[1]).toBeGreaterThan(10 ** 12)
})
