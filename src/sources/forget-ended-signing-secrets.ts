import type { Context } from '../context.ts'
import { deleteEndedSigningSecrets } from './queries.ts'

/** Forgets the signing secrets whose overlap is over. */
export const forgetEndedSigningSecrets = async ({
  pool,
  clock,
}: Pick<Context, 'pool' | 'clock'>): Promise<void> => {
  await deleteEndedSigningSecrets.run(pool, [new Date(clock.now())])
}
