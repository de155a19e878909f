/** Texts of leaving a company, in English. */
export const en = {
  title: 'Leave {{company}}?',
  text: 'You see nothing of it from then on, and apps read nothing of it for you. To come back, you must be invited anew.',
  further: 'Connections of your other companies stop acting on it.',
  holds_one: 'You hold one signed connection here, which goes on working.',
  holds_other: 'You hold {{count}} signed connections here, which go on working.',
  revokeFirst: 'Revoke first what should not.',
  askToRevoke: 'Ask an owner or a developer to revoke what should not.',
  show: 'Show connections',
  lastOwner:
    'The last owner stays: a company without one could not be looked after. Make someone else owner first.',
  toMembers: 'To the members',
  do: 'Leave',
  keep: 'Cancel',
  failed: 'You are still a member',
}
