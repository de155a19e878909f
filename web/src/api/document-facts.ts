/** What the service has written into the document, before anybody is signed in (`src/http/document-facts.ts`). */
function read(name: string): string | undefined {
  return document.querySelector<HTMLMetaElement>(`meta[name="numera-${name}"]`)?.content
}

/** Whether anyone may be anyone here. */
export function isDemo(): boolean {
  return read('demo') !== undefined
}

/** What people sign in with where it is not the demo's identity. */
export type SignInWith = 'bankid' | 'oidc'

/** Undefined on a demo, where anyone may be anyone. */
export function signInWith(): SignInWith | undefined {
  return read('sign-in') as SignInWith | undefined
}

/** An app that asks for a consent. Anyone can register any name. */
export interface AskingApp {
  name: string
  /** That the answer goes to, punycode included. */
  host: string
}

/** Who asks, on the page that an app sends people to. */
export function readAskingApp(): AskingApp | undefined {
  const [name, host] = [read('app'), read('app-host')]
  return name === undefined || host === undefined ? undefined : { name, host }
}
