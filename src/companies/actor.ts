/** Who asks for something: a signed-in member, or the operator at the command line, who may do everything. */
export type Actor = { memberId: string } | 'operator'

/** What is written down as the doer: null stands for the operator. */
export function actorMemberId(actor: Actor): string | null {
  return actor === 'operator' ? null : actor.memberId
}
