import { getCodes, errorGuide } from '../http/errors/error-guide.ts'
import { errorCodes } from '../http/errors/errors.ts'
import type { Api } from '../http/contract.ts'
import type { JsonSchema } from './openapi-schema.ts'

/** For the pages' API; the codes of the public one are explained in docs/errors.md. */
function errorTable(): string {
  return [
    '| status | code | when | what to do |',
    '|---|---|---|---|',
    ...getCodes().map((code) => {
      const { when, action } = errorGuide[code]
      return `| ${errorCodes[code]} | \`${code}\` | ${when} | ${action} |`
    }),
  ].join('\n')
}

/** `docs` is the address of the documents' pages. */
function publicDescription(docs: string): string {
  return `Push a company's own numbers, and read them back, exact and traceable: every delivery is stored as received before \
anything reads it, and every sample leads back to the deliveries behind it. [Start here](${docs}/start-here) leads to a first \
call of your own in five minutes.

## Credentials

A service connection has either a client id with a secret (prefix \`ncs_\`), exchanged for a token at \`POST /oauth/token\`, \
or a static credential (prefix \`nsk_\`). Token and static credential go into \`Authorization: Bearer\`, never into a URL.

An app acts for a member with a token of its own ([how](${docs}/apps)). It reads what the member allowed, of the companies \
that they chose, and at most what the member can read at the time of the call; it changes nothing. It names the company with \
\`orgnr\`, which may be left out where there is one, and so may \`source_id\` where the company has one source.

## Deliveries

A source delivers \`events\`, whose rows add to what came before, or \`statements\`, each the whole of every period that it \
has a row in ([the difference](${docs}/concepts)). Deliveries are parsed after the 202. A delivery sent again with its key \
and body gives its first receipt.

A webhook source takes no pushes: its sender signs each delivery with the source's signing secret (prefix \`nws_\`) and \
sends it to \`POST /v1/webhooks/{source_id}\`.

## Rates

60 requests a minute for each connection, reads and pushes together, and for each app of a member, burst 20: a bucket of 20 \
that gains one a second. \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` tell its state; a 429 carries \
\`Retry-After\`. The demo connection has 10 a minute for each client network, burst 5; a webhook source has 60 a minute of its \
own, burst 20. [Limits](${docs}/limits) has them all.

## Errors

Every error is an \`Error\` body. Branch on the status and \`code\`. Send again after 429, 5xx, time-outs and dropped \
connections, always with the same key and body, waiting longer each time (1, 2, 4, 8 seconds with jitter) and at least \
\`Retry-After\`; never send another 4xx again unchanged. A status may differ where an operation says so: a push over the \
size is 413 \`invalid_argument\`. Any address answers 405 \`method_not_allowed\` with \`Allow\` for other methods.

[Errors](${docs}/errors) has each code with its usual cause and its fix.

## Versions

The version is in the path. Additions happen inside a version; a removal or a rename is a new one, and both run for 90 \
days. What is marked as an addition came after the first description of \`v1\` ([what changed](${docs}/versions)).`
}

const consoleDescription = `What the pages of a deployment call, for the member who is signed in. It changes with the pages: \
connectors and apps use the public API.

Every error is an \`Error\` body.

${errorTable()}`

interface Tag {
  description: string
  /** The page of the documents that leads through it, and its title. */
  page?: [name: string, title: string]
}

/** By name. Those of the public API stand in the order of the work. */
const tagsByApi: Record<Api, Record<string, Tag>> = {
  public: {
    Push: {
      description: 'Send what a system knows, and see what became of it.',
      page: ['push', 'Push'],
    },
    Samples: {
      description:
        'Read what the deliveries say, trace a number to what is behind it, and find out what may be read.',
      page: ['samples', 'Samples'],
    },
    Webhooks: {
      description: 'Deliver from a system that signs what it sends, without a connection.',
      page: ['webhooks', 'Webhooks'],
    },
    'Delegated access': {
      description:
        'Register an app, ask a member for access, and exchange codes for tokens (OAuth 2.1 with PKCE). Service ' +
        'connections get their tokens here too.',
      page: ['apps', 'Apps'],
    },
    Discovery: {
      description: 'Find every endpoint from the base address, as clients of OAuth do by themselves.',
      page: ['apps', 'Apps'],
    },
  },
  console: {
    Apps: { description: 'What you let apps read, what they called, and ending it.' },
    Companies: { description: 'What is known of a company.' },
    Consent: { description: 'What an app asks a member for, and their answer.' },
    Connections: { description: 'Making, signing, rotating and ending service connections.' },
    'Developer page': { description: 'What became of the deliveries of a source.' },
    Demo: { description: 'What the documents of a demo offer to visitors.' },
    'Demo identity': { description: "The demo's electronic identity: anyone can be anyone." },
    'OpenID Connect': { description: 'What the provider that signs people in calls.' },
    Members: { description: 'Who may act for a company, and as what.' },
    Reports: { description: 'Reading the samples of a source.' },
    Session: { description: 'Signing in and out.' },
    Signatures: { description: 'Signing with an electronic identity, and what was signed.' },
    Sources: { description: 'What a source declares, its shape versions and its state.' },
  },
}

/** What is linked to has a whole address; the document of no deployment has none. */
function isAbsolute(docs: string): boolean {
  return !docs.startsWith('/')
}

function describeTag(api: Api, name: string, docs: string): JsonSchema {
  const { description, page } = tagsByApi[api][name] ?? {
    // A test demands a description; a document that lacks one is better than none.
    description: name,
  }
  return {
    name,
    description,
    ...(page === undefined || !isAbsolute(docs)
      ? {}
      : { externalDocs: { url: `${docs}/${page[0]}`, description: page[1] } }),
  }
}

/** A tag's position among those of its API; unknown ones come last. */
export function placeOfTag(api: Api, name: string): number {
  const place = Object.keys(tagsByApi[api]).indexOf(name)
  return place === -1 ? Number.MAX_SAFE_INTEGER : place
}

/** `info`, the tags that are used, and where the documents' pages begin. */
export function documentInfo(
  api: Api,
  usedTags: ReadonlySet<string>,
  baseUrl: string,
): { info: JsonSchema; tags: JsonSchema[]; externalDocs?: JsonSchema } {
  const docs = `${baseUrl}/docs`
  const names =
    api === 'public'
      ? [...usedTags].toSorted((a, b) => placeOfTag(api, a) - placeOfTag(api, b))
      : [...usedTags].toSorted()
  return {
    info: {
      title: api === 'public' ? 'Numera API' : 'Numera console API',
      version: api === 'public' ? '1.0.0' : '0.1.0',
      description: api === 'public' ? publicDescription(docs) : consoleDescription,
      contact: { name: 'The operator of the deployment' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    tags: names.map((name) => describeTag(api, name, docs)),
    ...(api === 'public' && isAbsolute(docs)
      ? { externalDocs: { url: docs, description: 'The documents' } }
      : {}),
  }
}
