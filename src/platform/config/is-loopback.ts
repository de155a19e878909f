/** Whether a host name or address, as a URL or a listener has it, can be reached from this machine only. */
export function isLoopback(host: string): boolean {
  return (
    host === 'localhost' ||
    host.endsWith('.localhost') ||
    /^127(\.\d{1,3}){3}$/.test(host) ||
    /^\[?::1\]?$/.test(host)
  )
}
