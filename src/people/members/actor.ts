/** Who acts: a signed-in member, or the operator at the command line, who may do everything. */
export type Actor =
  | {
      memberId: string
      /** When they last authenticated, if that is known: some acts require it to be recent. */
      authenticatedAt?: Date | null
    }
  | 'operator'

/** The member who is recorded as having acted: null for the operator. */
export function actorMemberId(actor: Actor): string | null {
  return actor === 'operator' ? null : actor.memberId
}
