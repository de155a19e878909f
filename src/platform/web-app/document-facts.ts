import { escapeHtml } from './escape-html.ts'

/** A company and its sources, of which the reference offers one to read. */
export interface ReferenceReads {
  orgnr: string
  /** Names by id. */
  sources: Readonly<Record<string, string>>
}

/** What the web app's document says of itself before the sign-in. All of it is public. */
export interface DocumentFacts {
  /** The browser has a session, so that the frame of the document is that of the pages behind it. */
  hasSession?: boolean
  /** Anyone may be anyone here. */
  demo?: boolean
  /** What people sign in with: `bankid` or `oidc`; said where it is not the demo's identity. */
  signIn?: string
  /** The demo connection's credential, which is published, where a demo connection takes it. */
  demoCredential?: string
  /** The client id of the reference, where it is an app. */
  referenceApp?: string
  /** What that app may be allowed to read: a company that is made up. */
  referenceReads?: ReferenceReads
  /** The app that requests a consent: its name, which anyone may have registered, and the host that the answer goes to. */
  app?: { name: string; host: string }
}

function meta(name: string, content: string): string {
  return `<meta name="numera-${name}" content="${escapeHtml(content)}" />`
}

/** The document with these facts in its head, where its script reads them (`web/src/api/document-facts.ts`). */
export function withFacts(document: string, facts: DocumentFacts): string {
  const {
    hasSession = false,
    demo = false,
    signIn,
    demoCredential,
    referenceApp,
    referenceReads,
    app,
  } = facts
  const tags = [
    ...(demo ? [meta('demo', 'yes')] : []),
    ...(signIn === undefined ? [] : [meta('sign-in', signIn)]),
    ...(demoCredential === undefined ? [] : [meta('demo-credential', demoCredential)]),
    ...(referenceApp === undefined ? [] : [meta('reference-app', referenceApp)]),
    ...(referenceReads === undefined ? [] : [meta('reference-reads', JSON.stringify(referenceReads))]),
    ...(app === undefined ? [] : [meta('app', app.name), meta('app-host', app.host)]),
  ].join('')
  // Given as a function, since a name may hold `$&`.
  const told = document.replace('</head>', () => `${tags}</head>`)
  return hasSession ? told.replace('<div id="root">', '<div id="root" class="signed-in">') : told
}
