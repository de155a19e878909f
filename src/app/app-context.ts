import type { DirectoryContext } from '../context.ts'
import type { WithIdentity } from '../people/identity/identity-provider.ts'

/** The context of the app and of the operator's commands. */
export interface AppContext extends DirectoryContext, WithIdentity {}
