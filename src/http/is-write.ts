const safeMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Whether a method may change something (RFC 9110, 9.2.1: the others are safe). */
export function isWrite(method: string): boolean {
  return !safeMethods.has(method)
}
