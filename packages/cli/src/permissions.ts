import { type Numera, NumeraError, PermissionDenied, WebhookOnly } from 'numera-client'
import type { Scope } from './session.ts'

export interface Permissions {
  permissions: ('sources.ingest' | 'metrics.read')[]
  /** Undefined for a connection that only reads, until there are samples to tell it from. */
  kind: 'test' | 'production' | undefined
}

/** Finds out by trying: a check of no rows, which stores nothing, and one sample. No call of the API says it. */
export async function findPermissions(numera: Numera, scope: Scope): Promise<Permissions> {
  const permissions: Permissions['permissions'] = []
  let sandbox: boolean | undefined
  const isAllowed = async (call: () => Promise<boolean | undefined>): Promise<boolean> => {
    try {
      const found = await call()
      sandbox ??= found
      return true
    } catch (error) {
      if (error instanceof PermissionDenied) return false
      // Allowed, but there is nothing to name, or to push to.
      if (error instanceof NumeraError && error.code === 'invalid_argument') return true
      if (error instanceof WebhookOnly) return true
      throw error
    }
  }
  if (await isAllowed(async () => (await numera.check([{}], { ...scope, shapeVersion: 1 })).sandbox)) {
    permissions.push('sources.ingest')
  }
  const readOne = async (): Promise<boolean | undefined> =>
    (await numera.samples(scope).next()).value?.sandbox
  if (await isAllowed(readOne)) permissions.push('metrics.read')
  const kind = sandbox === undefined ? undefined : sandbox ? 'test' : 'production'
  return { permissions, kind }
}
