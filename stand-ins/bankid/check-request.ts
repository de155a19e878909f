import { isIP } from 'node:net'
import { findMarkdownFault } from './simple-markdown.ts'

/** 400 `invalidParameters` with the reason. */
export class InvalidParameters extends Error {}

export interface OrderRequest {
  endUserIp: string
  /** Base64. */
  userVisibleData?: string
  userVisibleDataFormat?: string
  /** Base64. */
  userNonVisibleData?: string
  returnUrl?: string
  returnRisk?: boolean
  requirement?: {
    pinCode?: boolean
    mrtd?: boolean
    cardReader?: string
    certificatePolicies?: string[]
    personalNumber?: string
    /** Lower or upper case. */
    risk?: string
  }
}

type Check = (value: unknown, name: string) => void

const refuse = (name: string): never => {
  throw new InvalidParameters(`Invalid parameter: ${name}`)
}

const text =
  (min: number, max: number, pattern = /^[^]*$/): Check =>
  (value, name) => {
    if (typeof value !== 'string' || value.length < min || value.length > max || !pattern.test(value))
      refuse(name)
  }

const unknown: Check = (_value, name) => refuse(name)

const flag: Check = (value, name) => {
  if (typeof value !== 'boolean') refuse(name)
}

const oneOf =
  (...allowed: readonly string[]): Check =>
  (value, name) => {
    if (typeof value !== 'string' || !allowed.includes(value)) refuse(name)
  }

const object =
  (members: Record<string, Check>, isEmptyAllowed = true): Check =>
  (value, name) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return refuse(name)
    const entries = Object.entries(value)
    if (entries.length === 0 && !isEmptyAllowed) refuse(name)
    for (const [key, content] of entries) (members[key] ?? unknown)(content, key)
  }

/** With padding (RFC 4648 section 4), in the one encoding of its bytes. */
const base64 =
  (max: number): Check =>
  (value, name) => {
    text(1, max)(value, name)
    if (Buffer.from(value as string, 'base64').toString('base64') !== value) refuse(name)
  }

const address: Check = (value, name) => {
  if (typeof value !== 'string' || isIP(value) === 0) refuse(name)
}

const policies: Check = (value, name) => {
  const policy = /^\d+(\.\d+){3,}(\.\*)?$/
  if (!Array.isArray(value) || value.length === 0) return refuse(name)
  if (!value.every((each) => typeof each === 'string' && policy.test(each))) refuse(name)
}

/** Characters of base64. */
const visibleCharactersMax = { auth: 1_500, sign: 40_000 }
const nonVisibleCharactersMax = { auth: 1_500, sign: 200_000 }

const requirement = object({
  pinCode: flag,
  mrtd: flag,
  cardReader: oneOf('class1', 'class2'),
  certificatePolicies: policies,
  personalNumber: text(12, 12, /^\d{12}$/),
  risk: oneOf('low', 'moderate', 'LOW', 'MODERATE'),
})

const createOrderCheck = (kind: 'auth' | 'sign'): Check =>
  object({
    endUserIp: address,
    userVisibleData: base64(visibleCharactersMax[kind]),
    userNonVisibleData: base64(nonVisibleCharactersMax[kind]),
    userVisibleDataFormat: oneOf('plaintext', 'simpleMarkdownV1'),
    returnUrl: text(1, 512),
    returnRisk: flag,
    app: object(
      {
        appIdentifier: text(1, 256),
        deviceOS: text(1, 256),
        deviceModelName: text(1, 256),
        deviceIdentifier: text(1, 64),
      },
      false,
    ),
    web: object(
      {
        referringDomain: text(3, 253, /^[0-9a-z.-]+$/),
        userAgent: text(1, 256),
        deviceIdentifier: text(1, 64),
      },
      false,
    ),
    requirement,
  })

const checkOrder = { auth: createOrderCheck('auth'), sign: createOrderCheck('sign') }

/** @throws InvalidParameters if the text is not UTF-8, or its markup is wrong */
function checkVisible({ userVisibleData, userVisibleDataFormat }: OrderRequest): void {
  if (userVisibleData === undefined) return
  let visible = ''
  try {
    visible = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(userVisibleData, 'base64'))
  } catch {
    refuse('userVisibleData')
  }
  if (userVisibleDataFormat !== 'simpleMarkdownV1') return
  const fault = findMarkdownFault(visible)
  if (fault !== undefined) throw new InvalidParameters(`Invalid parameter: userVisibleData (${fault})`)
}

/** Of `auth` and `sign`. @throws InvalidParameters */
export function checkOrderRequest(kind: 'auth' | 'sign', body: unknown): OrderRequest {
  checkOrder[kind](body, 'body')
  const request = body as OrderRequest & { app?: unknown; web?: unknown }
  if (request.endUserIp === undefined) refuse('endUserIp')
  if (kind === 'sign' && request.userVisibleData === undefined) refuse('userVisibleData')
  if (request.app !== undefined && request.web !== undefined) refuse('app')
  checkVisible(request)
  return request
}

/** Of `collect` and `cancel`. @returns the order's reference @throws InvalidParameters */
export function checkReference(body: unknown): string {
  object({ orderRef: text(1, 64) })(body, 'body')
  const { orderRef } = body as { orderRef?: string }
  return orderRef ?? refuse('orderRef')
}
