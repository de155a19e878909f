/** What is kept of the list is that of one member. */
export const appsKey = (memberId: string) => ['apps', memberId] as const
