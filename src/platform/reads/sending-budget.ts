import type { ServerResponse } from 'node:http'
import { OverloadedError } from '../database/overloaded-error.ts'

/** Smaller answers, in bytes, are not counted: they cost no more than their connections. */
export const countedAnswerBytes = 16_384
/** Bytes of unsent answers of all companies; an answer beyond it is 503 with `Retry-After`. */
const sendingBytesMax = 134_217_728
/** The same of one company, so that its slow clients delay no other company. */
export const companySendingBytesMax = 33_554_432
/** How long a client may take to receive an answer before its connection is cut, in milliseconds: 8 MiB at 70 kB/s. */
export const sendMsMax = 120_000

interface SendingBudgetOptions {
  bytesMax?: number
  companyBytesMax?: number
  sendMsMax?: number
}

/**
 * Counts an answer against the budget until it is sent or its connection ends. To be called before anything of the answer is
 * written.
 *
 * @throws OverloadedError when the budget of the company or of the process is spent
 */
export type ReserveAnswer = (response: ServerResponse, companyId: string, bytes: Buffer) => void

/** Bounds the memory of answers that slow clients have not received yet. A cached answer sent to many clients counts once. */
export function createSendingBudget(options: SendingBudgetOptions = {}): ReserveAnswer {
  const { bytesMax = sendingBytesMax, companyBytesMax = companySendingBytesMax } = options
  const timeoutMs = options.sendMsMax ?? sendMsMax
  /** How many connections are sending each answer. */
  const senders = new Map<Buffer, number>()
  const byCompany = new Map<string, number>()
  let reserved = 0

  const add = (companyId: string, bytes: number): void => {
    reserved += bytes
    const ofCompany = (byCompany.get(companyId) ?? 0) + bytes
    if (ofCompany === 0) byCompany.delete(companyId)
    else byCompany.set(companyId, ofCompany)
  }

  return (response, companyId, bytes) => {
    const { length } = bytes
    if (length < countedAnswerBytes || response.destroyed) return
    const others = senders.get(bytes) ?? 0
    if (others === 0) {
      const ofCompany = byCompany.get(companyId) ?? 0
      // The only answer under way may have any size.
      if (reserved > 0 && reserved + length > bytesMax) {
        throw new OverloadedError('too many bytes of answers are being sent')
      }
      if (ofCompany > 0 && ofCompany + length > companyBytesMax) {
        throw new OverloadedError('too many bytes of answers of the company are being sent')
      }
      add(companyId, length)
    }
    senders.set(bytes, others + 1)
    const timer = setTimeout(() => response.destroy(), timeoutMs)
    let isReleased = false
    const release = (): void => {
      if (isReleased) return
      isReleased = true
      clearTimeout(timer)
      const left = senders.get(bytes)! - 1
      if (left > 0) senders.set(bytes, left)
      else {
        senders.delete(bytes)
        add(companyId, -length)
      }
    }
    // `finish`: the operating system has the last byte. `close`: the client disconnected before that.
    response.once('finish', release)
    response.once('close', release)
  }
}
