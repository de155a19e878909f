import type { ServerResponse } from 'node:http'
import { OverloadedError } from '../database/overloaded-error.ts'

/**
 * Answers of this many bytes or more are counted while they are sent; smaller ones cost no more than their connections.
 */
export const countedAnswerBytes = 16_384
/**
 * Bytes of answers that clients have not taken yet, of all companies; an answer beyond it is 503 with `Retry-After`.
 */
export const sendingBytesMax = 134_217_728
/** Of these, the bytes of one company: its slow clients hold up no other company's. */
export const companySendingBytesMax = 33_554_432
/** How long a client may take for its answer before it is cut off, in milliseconds: 8 MiB at 70 kB/s. */
export const sendMsMax = 120_000

interface AnswerRoomOptions {
  bytesMax?: number
  companyBytesMax?: number
  sendMsMax?: number
}

/**
 * Counts an answer against the room for answers under way until it is sent or its connection ends. Call it before
 * anything of the answer is written. Throws an `OverloadedError` if there is no room.
 */
export type HoldAnswer = (response: ServerResponse, companyId: string, bytes: Buffer) => void

/**
 * The room for answers that clients take slowly. A cached answer is the same bytes for everyone who gets it, and counts
 * once.
 */
export function createAnswerRoom(options: AnswerRoomOptions = {}): HoldAnswer {
  const { bytesMax = sendingBytesMax, companyBytesMax = companySendingBytesMax } = options
  const timeoutMs = options.sendMsMax ?? sendMsMax
  /** How many connections are sending each answer. */
  const senders = new Map<Buffer, number>()
  const byCompany = new Map<string, number>()
  let held = 0

  const add = (companyId: string, bytes: number): void => {
    held += bytes
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
      // If no other answer is under way, one of any size is sent.
      if (held > 0 && held + length > bytesMax) throw new OverloadedError('no room for another answer')
      if (ofCompany > 0 && ofCompany + length > companyBytesMax) {
        throw new OverloadedError('no room for another answer of the company')
      }
      add(companyId, length)
    }
    senders.set(bytes, others + 1)
    const timer = setTimeout(() => response.destroy(), timeoutMs)
    let isOver = false
    const release = (): void => {
      if (isOver) return
      isOver = true
      clearTimeout(timer)
      const left = senders.get(bytes)! - 1
      if (left > 0) senders.set(bytes, left)
      else {
        senders.delete(bytes)
        add(companyId, -length)
      }
    }
    // The operating system has the last byte, or the client has gone before that.
    response.once('finish', release)
    response.once('close', release)
  }
}
