/** Texts of leaving a company, in English. */
export const en = {
  title: 'Leave {{company}}?',
  text: 'You and the apps you have allowed lose access to it. To come back, you have to be invited again.',
  further: 'Your connections from other companies can no longer be used for it.',
  holds_one: 'You have {{count}} signed connection here, which will keep working.',
  holds_other: 'You have {{count}} signed connections here, which will keep working.',
  revokeFirst: 'First revoke those that should stop.',
  askToRevoke: 'Ask an owner or a developer to revoke those that should stop.',
  show: 'Show connections',
  lastOwner: 'A company needs at least one owner. Give another member the owner role first.',
  toMembers: 'Go to members',
  do: 'Leave company',
  keep: 'Cancel',
  failed: 'Could not leave the company',
}
