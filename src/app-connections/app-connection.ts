import type { AppPermission } from '../access/app-permissions.ts'

export const appConnectionStates = ['active', 'ended'] as const
type AppConnectionState = (typeof appConnectionStates)[number]

export const endedByWords = ['member', 'operator', 'expiry'] as const
export type EndedBy = (typeof endedByWords)[number]

export interface CompanyName {
  companyId: string
  /** The kept digits [all.orgnr]. */
  orgnr: string
  name: string
}

/** What a member allows an app. */
export interface AppConnection {
  connectionId: string
  memberId: string
  clientId: string
  /** As the member saw them when they signed. */
  clientName: string
  redirectHost: string
  state: AppConnectionState
  permissions: AppPermission[]
  companies: {
    /** All companies of the member, later ones too. */
    every: boolean
    /** By name; empty where `every` is true. */
    chosen: CompanyName[]
  }
  /** Other servers that its tokens are for as well. */
  resources: string[]
  consentedAt: Date
  expiresAt: Date
  /** Null while it is active. */
  endedAt: Date | null
  endedBy: EndedBy | null
  /** Of the calls on record; null where there is none. */
  lastCalledAt: Date | null
}
