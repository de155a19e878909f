/** An object without the members that are undefined, as queries of the API take it. */
export function defined<Members extends object>(given: {
  [Name in keyof Members]: Members[Name] | undefined
}): Members {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Members
}
