import type { Context } from '../context.ts'
import type { WithIdentity } from '../people/identity/identity-provider.ts'

/** What the app is built with, and the operator's commands run with. */
export interface AppContext extends Context, WithIdentity {}
