/** What the service wrote into the document (`src/platform/web-app/document-facts.ts`). */
function read(name: string): string | undefined {
  return document.querySelector<HTMLMetaElement>(`meta[name="numera-${name}"]`)?.content
}

/** Whether this is a demo, where anyone may claim to be anyone. */
export function isDemo(): boolean {
  return read('demo') !== undefined
}

/** What people sign in with; undefined on a demo. */
export function signInWith(): 'bankid' | 'oidc' | undefined {
  return read('sign-in') as 'bankid' | 'oidc' | undefined
}

/** An app that asks for consent. Anyone can register any name. */
export interface AskingApp {
  name: string
  /** The host of the redirect, in punycode if it is encoded so. */
  host: string
}

export function readAskingApp(): AskingApp | undefined {
  const [name, host] = [read('app'), read('app-host')]
  return name === undefined || host === undefined ? undefined : { name, host }
}
