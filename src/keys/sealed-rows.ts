/**
 * The text of a statement that takes at most `$rowsMax` rows whose sealed column is under a master key, and locks them:
 * their key's columns, and the column as `sealed`. Rows that another such call has taken are left to it.
 */
export function takeSealed(table: string, key: string, column: string): string {
  return `
  select ${key}, ${column} as sealed
  from ${table}
  where sealed_under = $fingerprint::bytea
  limit $rowsMax::integer
  for update skip locked`
}

/** The text of a statement that writes the column of rows by their keys: `$keys` of a type, and `$sealed`. */
export function replaceSealed(table: string, key: string, keyType: string, column: string): string {
  return `
  update ${table}
  set ${column} = resealed.sealed
  from unnest($keys::${keyType}[], $sealed::bytea[]) as resealed (${key}, sealed)
  where ${table}.${key} = resealed.${key}`
}
