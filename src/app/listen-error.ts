import { ConfigError } from '../platform/config/config-error.ts'

/** Where a server is to listen, and what says so. */
export interface Listening {
  host: string
  port: number
  /** Of the port. That of the host is named alike: `NUMERA_HTTP_PORT` and `NUMERA_HTTP_HOST`. */
  variable: `${string}_PORT`
  /** How to choose another port, where that is not by the variable. */
  remedy?: string
}

const portFaults: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use by another program',
  EACCES: 'may not be opened by this user, who needs one above 1023',
}

const hostFaults: Readonly<Record<string, string>> = {
  EADDRNOTAVAIL: 'cannot be opened: this machine has no such address',
  ENOTFOUND: 'cannot be opened: there is no host of this name',
}

/** What is wrong with where a server is to listen, and what to do; undefined where the operator cannot correct it. */
export function describeListenError(
  error: unknown,
  { host, port, variable, remedy = `set ${variable} to another one` }: Listening,
): string | undefined {
  const { code = '' } = error as NodeJS.ErrnoException
  const at = `${variable}: port ${port} of ${host}`
  if (code in portFaults) return `${at} ${portFaults[code]}; ${remedy}`
  if (code in hostFaults)
    return `${at} ${hostFaults[code]}; set ${variable.replace(/PORT$/, 'HOST')} to an address of this machine`
  return undefined
}

/** Turns a failure to listen that the operator can correct into a sentence. Any other error stays as it is. */
export function listenError(error: unknown, listening: Listening): unknown {
  const problem = describeListenError(error, listening)
  return problem === undefined ? error : new ConfigError([problem])
}
