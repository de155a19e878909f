/** A browser's part at the provider: cookies and redirects. */
class Visitor {
  readonly #cookies = new Map<string, string>()

  async open(url: string, form?: Record<string, string>): Promise<Response> {
    const answer = await fetch(url, {
      method: form === undefined ? 'GET' : 'POST',
      headers: { cookie: [...this.#cookies].map((pair) => pair.join('=')).join('; ') },
      ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
      redirect: 'manual',
      signal: AbortSignal.timeout(10_000),
    })
    for (const cookie of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (value === '') this.#cookies.delete(name)
      else this.#cookies.set(name, value)
    }
    return answer
  }
}

function getLocation(answer: Response, base: string): string {
  const location = answer.headers.get('location')
  if (location === null) throw new Error(`The provider did not redirect: ${answer.status}`)
  return new URL(location, base).href
}

/**
 * Opens an authorization request, answers the login page, and follows the provider's redirects until they leave it.
 *
 * @param personalNumber of one of the provider's people; undefined to cancel
 * @returns the callback with the provider's answer
 */
export async function visitProvider(openUrl: string, personalNumber: string | undefined): Promise<string> {
  const visitor = new Visitor()
  const { origin } = new URL(openUrl)
  let url = openUrl
  for (let hops = 0; hops < 10; hops++) {
    const isLogin = new URL(url).pathname.startsWith('/interaction/')
    const answer = await visitor.open(url, isLogin ? { person: personalNumber ?? '' } : undefined)
    await answer.arrayBuffer()
    url = getLocation(answer, url)
    if (new URL(url).origin !== origin) return url
  }
  throw new Error('The provider redirects in a loop.')
}
