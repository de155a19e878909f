import type { ApiResponse } from '../api/call-api.ts'

/** An order at the electronic identity that waits for the person. */
export type Order = ApiResponse<'POST /console/sign-in'>

/** Where an order stands, whether it signs someone in or signs a text. */
export interface Progress {
  state: string
  reason?: string
}
