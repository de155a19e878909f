/**
 * Turns a failure to listen into something that the operator can put right: where the port is in use, a sentence that
 * names it and the variable to set. Any other error stays as it is.
 */
export function listenError(error: unknown, variable: string): unknown {
  const { code, address, port } = error as NodeJS.ErrnoException & { address?: string; port?: number }
  if (code !== 'EADDRINUSE') return error
  return new Error(`Port ${port} of ${address} is in use: set ${variable} to another one.`, { cause: error })
}
