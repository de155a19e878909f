/** As Web Crypto takes them. */
type Bytes = Uint8Array<ArrayBuffer>

export interface SentDelivery {
  secret: string
  deliveryId: string
  /** The header `Service-Signature`. */
  signature: string
  body: Bytes
  /** The time of the check, in milliseconds. */
  nowMs: number
}

/** A part of the signature that fits or does not, in a sentence. */
export interface SignatureFinding {
  fits: boolean
  sentence: string
}

const secretPattern = /^nws_[0-9A-Za-z]{43}$/
const deliveryIdPattern = /^[\w:-]{1,200}$/
const signaturePattern = /^t=(\d{1,15}),v1=([0-9a-f]{64})$/
/** How far `t` may differ from the service's clock (`skewSecondsMax` in `src/engine/deliveries/webhooks/headers.ts`). */
const clockSecondsMax = 300

function toBytes(text: string): Bytes {
  return new TextEncoder().encode(text)
}

function join(...parts: Uint8Array[]): Bytes {
  const all = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

/** HMAC-SHA256 (RFC 2104) in lower-case hexadecimal. */
async function hmac(secret: Bytes, signed: Bytes): Promise<string> {
  // Web Crypto takes no empty key; a zero byte is equivalent.
  const raw = secret.length === 0 ? new Uint8Array(1) : secret
  const key = await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const mac = new Uint8Array(await crypto.subtle.sign('HMAC', key, signed))
  return Array.from(mac, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

/** The value of `v1` for a delivery. */
export function sign(secret: string, t: string, deliveryId: string, body: Uint8Array): Promise<string> {
  return hmac(toBytes(secret), join(toBytes(`${t}.${deliveryId}.`), body))
}

/** The error in the syntax of the header. */
function findHeaderFault(signature: string): string | undefined {
  if (signaturePattern.test(signature)) return undefined
  if (signature.trim() === '') return 'Service-Signature is empty.'
  if (/\s/.test(signature))
    return 'Service-Signature contains a space. Write t=, digits, ,v1= and 64 hexadecimal digits, without spaces.'
  if (/^t=\d+,v1=[0-9a-fA-F]{64}$/.test(signature)) return 'v1 has capital letters. Write it in lower case.'
  if (/^t=\d+,v1=[\w+/-]{43}=?$/.test(signature)) return 'v1 is in base64. Write it as 64 hexadecimal digits.'
  if (/^(?:sha256=)?[0-9a-f]{64}$/i.test(signature))
    return 'Service-Signature has no t. Write t=, the seconds, ,v1= and the signature.'
  if (!/(?:^|,)t=\d+(?:,|$)/.test(signature)) return 'Service-Signature has no t= followed by whole seconds.'
  return 'Service-Signature must be t=, whole seconds, ,v1= and 64 hexadecimal digits in lower case.'
}

const units = [
  [86_400, 'day'],
  [3_600, 'hour'],
  [60, 'minute'],
] as const

/** A length in one unit, of which there are at least two. */
function toWords(seconds: number): string {
  const [size, unit] = units.find(([each]) => seconds >= 2 * each) ?? [1, 'second']
  return new Intl.NumberFormat('en', { style: 'unit', unit, unitDisplay: 'long' }).format(
    Math.round(seconds / size),
  )
}

function checkClock(t: string, nowMs: number): SignatureFinding {
  if (t.length >= 13) return { fits: false, sentence: 't is in milliseconds. Write whole seconds.' }
  const differenceS = Math.round(nowMs / 1_000) - Number(t)
  const fits = Math.abs(differenceS) <= clockSecondsMax
  const direction = differenceS < 0 ? 'ahead of' : 'behind'
  const start = `t is ${toWords(Math.abs(differenceS))} ${direction} this device's clock`
  const sentence = fits
    ? `${start}, which is within the limit of ${clockSecondsMax} seconds.`
    : `${start}. The limit is ${clockSecondsMax} seconds, so the service would refuse this even with a correct signature.`
  return { fits, sentence }
}

function replaceEach(body: Bytes, from: string, to: string): Bytes | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body)
    const changed = text.replaceAll(from, to)
    return changed === text ? undefined : toBytes(changed)
  } catch {
    return undefined
  }
}

function rewrite(body: Bytes, space?: number): Bytes | undefined {
  try {
    return toBytes(JSON.stringify(JSON.parse(new TextDecoder().decode(body)), null, space))
  } catch {
    return undefined
  }
}

const byteOrderMark = Uint8Array.of(0xef, 0xbb, 0xbf)
const rewrittenSentence =
  'The body was parsed and serialised again between signing and sending. Sign the bytes you send.'

/** A common mistake: what was signed instead, with which secret; `signed` is undefined where it would be the same. */
type Mistake = [sentence: string, signed: Bytes | undefined, secret?: string]

/** Bodies that were signed instead of the one that was sent. */
function wrongBodies(body: Bytes): Mistake[] {
  const isMarked = byteOrderMark.every((byte, at) => body[at] === byte)
  const withoutLine = body.at(-1) === 10 ? body.slice(0, -1) : undefined
  return [
    ['The body was signed without the line feed at its end.', withoutLine],
    [
      'The body was signed with a line feed at its end. Use printf instead of echo.',
      join(body, toBytes('\n')),
    ],
    ['The body was signed with CRLF line endings.', replaceEach(body, '\n', '\r\n')],
    ['The body was signed with LF line endings.', replaceEach(body, '\r\n', '\n')],
    [
      'The body was signed without the byte order mark at its start.',
      isMarked ? body.slice(byteOrderMark.length) : undefined,
    ],
    [
      'The body was signed with a byte order mark at its start.',
      isMarked ? undefined : join(byteOrderMark, body),
    ],
    [rewrittenSentence, rewrite(body)],
    [rewrittenSentence, rewrite(body, 2)],
  ]
}

function findMistakes({ secret, deliveryId, body }: SentDelivery, t: string): Mistake[] {
  const after = (head: string, rest: Bytes = body): Bytes => join(toBytes(head), rest)
  const head = `${t}.${deliveryId}.`
  return [
    ...wrongBodies(body).map(([sentence, other]): Mistake => [sentence, other && after(head, other)]),
    ['Only the body was signed. Put t, a dot, the delivery ID and a dot before it.', body],
    ['The delivery ID was not signed. Sign t, a dot, the delivery ID, a dot and the body.', after(`${t}.`)],
    ['t was not signed. Sign t, a dot, the delivery ID, a dot and the body.', after(`${deliveryId}.`)],
    [
      'The dots were not signed. There is one after t and one after the delivery ID.',
      after(`${t}${deliveryId}`),
    ],
    ['The secret was used without its prefix, nws_.', after(head), secret.replace(/^nws_/, '')],
    ['The secret was used with a line feed at its end, perhaps from a file.', after(head), `${secret}\n`],
  ]
}

/** The sentence of the mistake that explains a signature. */
async function explain(sent: SentDelivery, t: string, v1: string): Promise<string | undefined> {
  for (const [sentence, signed, secret = sent.secret] of findMistakes(sent, t)) {
    if (signed !== undefined && (await hmac(toBytes(secret), signed)) === v1) return sentence
  }
  return undefined
}

/**
 * Checks whether the service would accept a signature, and otherwise which part does not match: the syntax, the clock, or what
 * was signed instead. Needs `crypto.subtle`, which browsers provide on https and on localhost.
 */
export async function checkSignature(sent: SentDelivery): Promise<SignatureFinding[]> {
  const findings: SignatureFinding[] = []
  const wrong = (sentence: string): void => void findings.push({ fits: false, sentence })
  if (sent.secret !== sent.secret.trim()) wrong('The secret has spaces before or after it.')
  else if (!sent.secret.startsWith('nws_')) wrong('The secret must begin with nws_.')
  else if (!secretPattern.test(sent.secret))
    wrong('The secret is not complete. It is nws_ and 43 letters and digits.')
  if (!deliveryIdPattern.test(sent.deliveryId)) {
    wrong('Service-Delivery-Id must be 1 to 200 letters, digits, dashes, underscores or colons.')
  }
  const fault = findHeaderFault(sent.signature)
  if (fault !== undefined) wrong(fault)
  const [, t, v1] = /t=(\d+),\s*v1=([0-9a-f]{64})/i.exec(sent.signature) ?? []
  if (t === undefined || v1 === undefined) return findings

  findings.push(checkClock(t, sent.nowMs))
  const expected = await sign(sent.secret, t, sent.deliveryId, sent.body)
  if (expected === v1.toLowerCase()) {
    findings.push({ fits: true, sentence: 'v1 is the signature of this body with this secret.' })
    return findings
  }
  wrong(
    (await explain(sent, t, v1.toLowerCase())) ??
      `v1 is not the signature of these parts, which is ${expected}. Either the secret is a different one, for example ` +
        'after a rotation, or t, the delivery ID or the body is not what was signed.',
  )
  return findings
}
