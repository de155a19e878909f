/** Of a buffer of its own, as Web Crypto takes them. */
type Bytes = Uint8Array<ArrayBuffer>

/** What a sender sent, and what it signed it with. */
export interface SentDelivery {
  secret: string
  deliveryId: string
  /** The header `Service-Signature`. */
  signature: string
  body: Bytes
  /** The time of the check. Milliseconds. */
  nowMs: number
}

/** What of it fits, and what does not; sentences for the reader, in the order in which to look at them. */
export interface SignatureFinding {
  fits: boolean
  sentence: string
}

const secretPattern = /^nws_[0-9A-Za-z]{43}$/
const deliveryIdPattern = /^[\w:-]{1,200}$/
const signaturePattern = /^t=(\d{1,15}),v1=([0-9a-f]{64})$/
/** How far `t` may be from the service's clock (`skewSecondsMax` in `src/deliveries/webhooks/headers.ts`). */
const clockSecondsMax = 300

const bytesOf = (text: string): Bytes => new TextEncoder().encode(text)

function joined(...parts: Uint8Array[]): Bytes {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** HMAC-SHA256 (RFC 2104) in lower-case hexadecimal digits. */
async function hmac(secret: Bytes, signed: Bytes): Promise<string> {
  // Web Crypto takes no empty key; one of zeros is the same.
  const raw = secret.length === 0 ? new Uint8Array(1) : secret
  const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const mac = new Uint8Array(await crypto.subtle.sign('HMAC', key, signed))
  return Array.from(mac, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The signature of a delivery as `v1` names it. */
export function signatureOf(
  secret: string,
  t: string,
  deliveryId: string,
  body: Uint8Array,
): Promise<string> {
  return hmac(bytesOf(secret), joined(bytesOf(`${t}.${deliveryId}.`), body))
}

/** What is wrong with how the header is written; undefined where nothing is. */
function faultOfHeader(signature: string): string | undefined {
  if (signaturePattern.test(signature)) return undefined
  if (signature.trim() === '') return 'Service-Signature is empty.'
  if (/\s/.test(signature))
    return 'Service-Signature holds a space. It is t=, digits, ,v1= and 64 hexadecimal digits, and nothing between.'
  if (/^t=\d+,v1=[0-9a-fA-F]{64}$/.test(signature)) return 'v1 has capital letters: write it in lower case.'
  if (/^t=\d+,v1=[\w+/-]{43}=?$/.test(signature))
    return 'v1 is written in base64: write it as 64 hexadecimal digits.'
  if (/^(?:sha256=)?[0-9a-f]{64}$/i.test(signature))
    return 'Service-Signature has no t. It is t=, the seconds, ,v1= and the signature.'
  if (!/(?:^|,)t=\d+(?:,|$)/.test(signature)) return 'Service-Signature has no t=, followed by whole seconds.'
  return 'Service-Signature is not t=, whole seconds, ,v1= and 64 hexadecimal digits in lower case.'
}

const units = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
] as const

/** A time as people say it, in one unit, of which there are at least two. */
function spoken(seconds: number): string {
  const [size, unit] = units.find(([each]) => seconds >= 2 * each) ?? [1, 'second']
  const count = Math.round(seconds / size)
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}

function clockFinding(t: string, nowMs: number): SignatureFinding {
  if (t.length >= 13) {
    return { fits: false, sentence: 't is in milliseconds: write whole seconds.' }
  }
  const apart = Math.round(nowMs / 1_000) - Number(t)
  const far = Math.abs(apart)
  const told = `${spoken(far)} ${apart < 0 ? 'ahead of' : 'behind'} this device's clock`
  return far <= clockSecondsMax
    ? {
        fits: true,
        sentence: `t is ${told}: within ${clockSecondsMax} seconds, as it must be when it arrives.`,
      }
    : {
        fits: false,
        sentence: `t is ${told}. The service takes at most ${clockSecondsMax} seconds: it would refuse this now, even well signed.`,
      }
}

function replaceEach(body: Bytes, from: string, to: string): Bytes | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
    const changed = text.replaceAll(from, to)
    return changed === text ? undefined : bytesOf(changed)
  } catch {
    return undefined
  }
}

function rewritten(body: Bytes, space?: number): Bytes | undefined {
  try {
    return bytesOf(JSON.stringify(JSON.parse(new TextDecoder().decode(body)), null, space))
  } catch {
    return undefined
  }
}

const byteOrderMark = Uint8Array.of(0xef, 0xbb, 0xbf)
const rewrittenSentence =
  'The body was parsed and written anew between signing and sending: sign the bytes that are sent.'

/** Bodies that were signed instead of what was sent, each with the sentence that says so; undefined where it is the same. */
function bodiesInstead(body: Bytes): [sentence: string, body: Bytes | undefined][] {
  const isMarked = byteOrderMark.every((byte, at) => body[at] === byte)
  const withoutLine = body.at(-1) === 10 ? body.slice(0, -1) : undefined
  return [
    ['The body differs by the line feed at its end: it was signed without it.', withoutLine],
    [
      'The body differs by a line feed at its end: it was signed with one. Sign with printf, not echo.',
      joined(body, bytesOf('\n')),
    ],
    ['The body differs in how its lines end: it was signed with CRLF.', replaceEach(body, '\n', '\r\n')],
    [
      'The body differs in how its lines end: it was signed with line feeds alone.',
      replaceEach(body, '\r\n', '\n'),
    ],
    [
      'The body differs by the byte order mark at its start: it was signed without it.',
      isMarked ? body.slice(byteOrderMark.length) : undefined,
    ],
    [
      'The body differs by a byte order mark at its start: it was signed with one.',
      isMarked ? undefined : joined(byteOrderMark, body),
    ],
    [rewrittenSentence, rewritten(body)],
    [rewrittenSentence, rewritten(body, 2)],
  ]
}

/** What was put together wrongly before it was signed. */
function signedInstead({ deliveryId, body }: SentDelivery, t: string): [sentence: string, signed: Bytes][] {
  const after = (head: string): Bytes => joined(bytesOf(head), body)
  return [
    ['The body alone was signed: t, a dot, the delivery id and a dot come before it.', body],
    [
      'The delivery id was left out of what was signed: it is t, a dot, the delivery id, a dot, the body.',
      after(`${t}.`),
    ],
    [
      't was left out of what was signed: it is t, a dot, the delivery id, a dot, the body.',
      after(`${deliveryId}.`),
    ],
    [
      'The dots are missing from what was signed: one follows t, and one the delivery id.',
      after(`${t}${deliveryId}`),
    ],
  ]
}

function secretsInstead(secret: string): [sentence: string, secret: string][] {
  return [
    ['The secret was used without its prefix: nws_ belongs to it.', secret.replace(/^nws_/, '')],
    ['The secret was used with a line feed at its end, as a file of it may have.', `${secret}\n`],
  ]
}

/** What senders sign instead of what they should: the sentence that fits; undefined where none does. */
async function findMistake(sent: SentDelivery, t: string, v1: string): Promise<string | undefined> {
  const { secret, deliveryId, body } = sent
  const head = bytesOf(`${t}.${deliveryId}.`)
  const tries: [sentence: string, secret: string, signed: Bytes | undefined][] = [
    ...bodiesInstead(body).map(([sentence, other]): (typeof tries)[number] => [
      sentence,
      secret,
      other && joined(head, other),
    ]),
    ...signedInstead(sent, t).map(([sentence, signed]): (typeof tries)[number] => [sentence, secret, signed]),
    ...secretsInstead(secret).map(([sentence, other]): (typeof tries)[number] => [
      sentence,
      other,
      joined(head, body),
    ]),
  ]
  for (const [sentence, key, signed] of tries) {
    if (signed !== undefined && (await hmac(bytesOf(key), signed)) === v1) return sentence
  }
  return undefined
}

/**
 * Says of a signature whether the service would take it, and where not, which part does not match: the form of the parts,
 * the clock, and then what was signed instead. Needs `crypto.subtle`, which browsers have on https and on localhost.
 */
export async function checkSignature(sent: SentDelivery): Promise<SignatureFinding[]> {
  const findings: SignatureFinding[] = []
  const wrong = (sentence: string): void => void findings.push({ fits: false, sentence })
  if (sent.secret !== sent.secret.trim()) wrong('The secret has white space around it.')
  else if (!sent.secret.startsWith('nws_')) wrong('The secret does not begin with nws_, which belongs to it.')
  else if (!secretPattern.test(sent.secret))
    wrong('The secret is not whole: it is nws_ and 43 letters and digits.')
  if (!deliveryIdPattern.test(sent.deliveryId)) {
    wrong('Service-Delivery-Id is not 1 to 200 letters, digits, dashes, underscores or colons.')
  }
  const fault = faultOfHeader(sent.signature)
  if (fault !== undefined) wrong(fault)
  const [, t, v1] = /t=(\d+),\s*v1=([0-9a-f]{64})/i.exec(sent.signature) ?? []
  if (t === undefined || v1 === undefined) return findings

  findings.push(clockFinding(t, sent.nowMs))
  const expected = await signatureOf(sent.secret, t, sent.deliveryId, sent.body)
  if (expected === v1.toLowerCase()) {
    findings.push({ fits: true, sentence: 'v1 is the signature of this body under this secret.' })
    return findings
  }
  wrong(
    (await findMistake(sent, t, v1.toLowerCase())) ??
      `v1 is not the signature of these parts, which is ${expected}. Either the secret is another one, as after a rotation, ` +
        'or t, the delivery id or the body is not what was signed.',
  )
  return findings
}
