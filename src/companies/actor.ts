/** Who acts: a signed-in member, or the operator at the command line, who may do everything. */
export type Actor =
  | {
      memberId: string
      /** When they identified themselves to sign in, where it is known: some acts need it to be recent. */
      authenticatedAt?: Date | null
    }
  | 'operator'

/** Who is recorded as having acted: null stands for the operator. */
export function actorMemberId(actor: Actor): string | null {
  return actor === 'operator' ? null : actor.memberId
}
