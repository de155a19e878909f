import type { Answer } from '../api/ask.ts'

/** An order at the electronic identity that waits for the person. */
export type Order = Answer<'POST /console/sign-in'>

/** How an order stands, whatever it is for. */
export interface Progress {
  state: string
  reason?: string
}
