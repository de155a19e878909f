import { codesOf, errorGuide } from './error-guide.ts'
import { errorCodes } from './errors.ts'
import type { Api } from './contract.ts'
import type { JsonSchema } from './openapi-schema.ts'

function errorTable(api: Api): string {
  return [
    '| status | code | when | what to do |',
    '|---|---|---|---|',
    ...codesOf(api).map((code) => {
      const { when, action } = errorGuide[code]
      return `| ${errorCodes[code]} | \`${code}\` | ${when} | ${action} |`
    }),
  ].join('\n')
}

const publicDescription = `A company pushes its own numbers; every delivery is stored as received before anything reads it, \
and every sample leads back to the delivery behind it.

## Credentials

A service connection has either a client id with a secret (prefix \`ncs_\`), exchanged for a token at \`POST /oauth/token\`, \
or a static credential (prefix \`nsk_\`). Token and static credential go into \`Authorization: Bearer\`, never into a URL.

An app acts for a member with a token of its own (\`/.well-known/oauth-authorization-server\`). It reads what the member \
allowed, of the companies that they chose, and at most what the member can read at the time of the call; it changes nothing. \
It names the company with \`orgnr\`, which may be left out where there is one, and so may \`source_id\` where the company \
has one source.

## Deliveries

A source delivers \`events\`, whose rows add to what came before, or \`statements\`, each the whole of every period that it \
has a row in. Deliveries are parsed after the 202. A delivery sent again with its key and body gives its first receipt.

A webhook source takes no pushes: its sender signs each delivery with the source's signing secret (prefix \`nws_\`) and \
sends it to \`POST /v1/webhooks/{source_id}\`.

## Rates

60 requests a minute for each connection, reads and pushes together, and for each app of a member, burst 20: a bucket of 20 \
that gains one a second. \`RateLimit-Limit\`, \`RateLimit-Remaining\` and \`RateLimit-Reset\` tell its state; a 429 carries \`Retry-After\`. The demo \
connection has 10 a minute for each client network, burst 5; a webhook source has 60 a minute of its own, burst 20.

## Errors

Every error is an \`Error\` body. Branch on the status and \`code\`. Send again after 429, 5xx, time-outs and dropped \
connections, always with the same key and body, waiting longer each time (1, 2, 4, 8 seconds with jitter) and at least \
\`Retry-After\`; never send another 4xx again unchanged. A status may differ where an operation says so: a push over the \
size is 413 \`invalid_argument\`. Any address answers 405 \`method_not_allowed\` with \`Allow\` for other methods.

${errorTable('public')}

## Versions

The version is in the path. Additions happen inside a version; a removal or a rename is a new one, and both run for 90 \
days. What the tag Additions marks came after the first description of \`v1\`.`

const consoleDescription = `What the pages of a deployment call, for the member who is signed in. It changes with the pages: \
connectors and apps use the public API.

Every error is an \`Error\` body.

${errorTable('console')}`

const tagDescriptions: Record<Api, Record<string, string>> = {
  public: {
    Additions: 'What came to `v1` after its first description.',
    Companies: 'The companies that a connection or an app acts on.',
    Deliveries: 'Pushing what a system knows.',
    OAuth: 'Getting a token, and finding out where from.',
    Samples: 'Reading what the deliveries say.',
    Sources: 'The systems that deliver.',
    Webhooks: 'Deliveries that their sender signs, without a connection.',
  },
  console: {
    Apps: 'What you let apps read, what they called, and ending it.',
    Companies: 'What is known of a company.',
    Consent: 'What an app asks a member for, and their answer.',
    Connections: 'Making, signing, rotating and ending service connections.',
    'Developer page': 'What became of the deliveries of a source.',
    Demo: 'What the documents of a demo offer to visitors.',
    'Demo identity': "The demo's electronic identity: anybody is anybody.",
    Members: 'Who may act for a company, and as what.',
    Reports: 'Reading the samples of a source.',
    Session: 'Signing in and out.',
    Signatures: 'Signing with an electronic identity, and what was signed.',
    Sources: 'What a source declares, its shape versions and its state.',
  },
}

function describeTag(api: Api, name: string): JsonSchema {
  return {
    name,
    // A test demands a description; a document that lacks one is better than none.
    description: tagDescriptions[api][name] ?? name,
  }
}

/** `info`, and the tags that are used. */
export function documentInfo(
  api: Api,
  usedTags: ReadonlySet<string>,
): { info: JsonSchema; tags: JsonSchema[] } {
  return {
    info: {
      title: api === 'public' ? 'Numera API' : 'Numera console API',
      version: api === 'public' ? '1.0.0' : '0.1.0',
      description: api === 'public' ? publicDescription : consoleDescription,
      contact: { name: 'The operator of the deployment' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    tags: [...usedTags].toSorted().map((name) => describeTag(api, name)),
  }
}
