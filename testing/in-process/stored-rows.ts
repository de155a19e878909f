import type { Pool } from 'pg'

/** What any call of a connection writes: its bucket, and when it was last used. */
const ofEachCall = ['rate_buckets', 'connection_uses']

/** The rows of every table of every schema, as one hash a table, but for what any call writes. */
export async function hashStoredRows(pool: Pool): Promise<Record<string, string>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name
     from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema') and tablename <> all ($1::text[])
     order by 1`,
    [ofEachCall],
  )
  const hashes: Record<string, string> = {}
  for (const { name } of tables) {
    const { rows } = await pool.query<{ hash: string }>(
      `select count(*) || ' ' || coalesce(md5(string_agg(t::text, '|' order by t::text collate "C")), '') as hash from ${name} as t`,
    )
    hashes[name] = rows[0]!.hash
  }
  return hashes
}
