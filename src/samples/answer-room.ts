import type { ServerResponse } from 'node:http'
import { OverloadedError } from '../database/overloaded-error.ts'

/** Answers from here on are counted while they are sent, bytes; a smaller one costs what its connection does. */
export const countedAnswerBytes = 16_384
/** Answers that clients have not taken yet, of all companies together, bytes; one more is 503 with `Retry-After`. */
export const sendingBytesMax = 134_217_728
/** Of them, those of one company, bytes: slow readers of one hold up no other's. */
export const companySendingBytesMax = 33_554_432
/** A client that has not taken its answer by then is cut off, milliseconds: 8 MiB at 70 kB/s. */
export const sendMsMax = 120_000

interface AnswerRoomOptions {
  bytesMax?: number
  companyBytesMax?: number
  sendMsMax?: number
}

/**
 * Counts an answer against the room for those under way, until it is sent or its connection ends. To be asked before
 * anything of the answer is written. Throws an `OverloadedError` where there is no room.
 */
export type HoldAnswer = (response: ServerResponse, companyId: string, bytes: Buffer) => void

/**
 * The room for answers that clients take slowly. Answers from the cache are the same bytes for all who get them, and count
 * once.
 */
export function createAnswerRoom(options: AnswerRoomOptions = {}): HoldAnswer {
  const { bytesMax = sendingBytesMax, companyBytesMax = companySendingBytesMax } = options
  const timeoutMs = options.sendMsMax ?? sendMsMax
  /** How many send each. */
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
      // Where no other answer is under way, one of any size is sent.
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
    // The last byte is with the operating system, or the client is gone before.
    response.once('finish', release)
    response.once('close', release)
  }
}
