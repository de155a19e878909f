import type { AppContext } from '../app-context.ts'

/** What backing up a service's built-in database needs of it. */
export type BackedUpContext = Pick<AppContext, 'config' | 'pool' | 'clock' | 'log' | 'telemetry'>
