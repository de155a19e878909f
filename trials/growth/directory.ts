import type { TrialDatabase } from '../deployment/database.ts'

/** How large the directory is. */
export interface Extent {
  companies: number
  shards: number
}

export const sourcesEach = 3
/** Rows of one statement, so that a fill that takes long can be followed. */
const partRows = 100_000
/** Statements at the same time: as many as there are cores here. */
const concurrency = 2

/*
 * Companies have the numbers from 0, sources from 0 to 3 × companies - 1; every identifier follows from the number. Like
 * those of version 7 they grow in the order of creation, so rows created together are stored together.
 */

function toUuidSql(kind: number, number: string): string {
  return `('0199000${kind}-0000-7000-8000-' || lpad(to_hex(${number}), 12, '0'))::uuid`
}
const [companyKind, sourceKind, connectionKind, memberKind] = [1, 2, 3, 4]

export function toSourceId(source: number): string {
  return `0199000${sourceKind}-0000-7000-8000-${source.toString(16).padStart(12, '0')}`
}

/** The static credential of the connection of a source. */
export function toCredential(source: number): string {
  return `nsk_${String(source).padStart(43, '0')}`
}

/** From 1, in the order in which new companies are placed. */
export function toShard(source: number, shards: number): number {
  return 1 + (Math.floor(source / sourcesEach) % shards)
}

/** The statements that write the rows of the numbers from `$from` to `$to` into the shared schemas. */
function sharedStatements({ shards }: Extent): { rows: 'companies' | 'sources'; text: string }[] {
  const company = toUuidSql(companyKind, 'n')
  const ofSource = toUuidSql(companyKind, `n / ${sourcesEach}`)
  return [
    {
      rows: 'companies',
      text: `
        insert into companies (company_id, shard, orgnr, name, time_zone, created_at)
        select ${company}, 1 + n % ${shards}, '55' || lpad(n::text, 8, '0'), 'Company ' || n || ' AB',
          'Europe/Stockholm', now()
        from generate_series($from, $to) as n`,
    },
    {
      rows: 'companies',
      text: `
        insert into members (member_id, personal_number_mac, name, created_at, last_sign_in_at)
        select ${toUuidSql(memberKind, 'n')}, sha256(int8send(n)), 'Member ' || n, now(), now()
        from generate_series($from, $to) as n`,
    },
    {
      // An owner each, and every other company has a reader too, who owns the one before.
      rows: 'companies',
      text: `
        insert into memberships (company_id, member_id, role, added_at, opened)
        select ${company}, ${toUuidSql(memberKind, 'n - further')},
          case further when 0 then 'owner' else 'reader' end, now(), true
        from generate_series($from, $to) as n, generate_series(0, n % 2) as further`,
    },
    {
      rows: 'sources',
      text: `
        insert into connections (company_id, connection_id, source_id, name, kind, permissions, credential_kind,
          created_by, created_at, signed_at, expires_at)
        select ${ofSource}, ${toUuidSql(connectionKind, 'n')}, ${toUuidSql(sourceKind, 'n')}, 'Connection ' || n,
          'production', '{sources.ingest,metrics.read}', 'static', ${toUuidSql(memberKind, `n / ${sourcesEach}`)},
          now(), now(), now() + interval '1 year'
        from generate_series($from, $to) as n`,
    },
    {
      rows: 'sources',
      text: `
        insert into credentials (credential_hash, connection_id, kind, last_four, created_at)
        select sha256(convert_to('nsk_' || lpad(n::text, 43, '0'), 'utf8')), ${toUuidSql(connectionKind, 'n')},
          'static', right(lpad(n::text, 43, '0'), 4), now()
        from generate_series($from, $to) as n`,
    },
    {
      rows: 'sources',
      text: `
        insert into source_names (source_id, company_id, name)
        select ${toUuidSql(sourceKind, 'n')}, ${ofSource}, 'Source ' || n
        from generate_series($from, $to) as n`,
    },
  ]
}

/** The statement that writes one shard: its sources are copies of the one that a user has created. */
function shardStatement({ companies, shards }: Extent, shard: number): string {
  const of = `company_id, source_id`
  return `
    set search_path = shard_${shard}, access, directory;
    create temporary table own as
      select ${toUuidSql(companyKind, 'n')} as company_id,
        ${toUuidSql(sourceKind, `n * ${sourcesEach} + k`)} as source_id, n * ${sourcesEach} + k as number
      from generate_series(${shard - 1}, ${companies - 1}, ${shards}) as n, generate_series(0, ${sourcesEach - 1}) as k;
    insert into sources (${of}, name, system_kind, channel, shape_version, projection_id, distinct_salt, created_at)
      select own.company_id, own.source_id, 'Source ' || number, system_kind, channel, 1, 1,
        sha256(int8send(number)), now()
      from own, shard_1.sources as pattern where pattern.name = $pattern;
    insert into shapes (${of}, shape_version, delivers, fields, event_time, metrics, saved_at)
      select own.company_id, own.source_id, 1, delivers, fields, event_time, metrics, now()
      from own, shard_1.shapes as pattern
      where pattern.source_id = (select source_id from shard_1.sources where name = $pattern);
    insert into projections (${of}, projection_id, shape_version, state, samples_version, enumerated, created_at)
      select company_id, source_id, 1, 1, 'current', 0, true, now() from own;
    insert into company_usage (company_id, recounted_at)
      select company_id, now() - interval '1 day' * min(number) / ${companies * sourcesEach} from own group by company_id;`
}

/**
 * Writes companies, members, connections with credentials, and sources that are declared as the one named `pattern`.
 * Foreign keys are not checked, which would take most of the time.
 */
export async function fillDirectory(
  database: TrialDatabase,
  extent: Extent,
  pattern: string,
  log: (line: string) => void,
): Promise<void> {
  const statements: string[] = []
  for (const { rows, text } of sharedStatements(extent)) {
    const last = extent.companies * (rows === 'companies' ? 1 : sourcesEach) - 1
    for (let from = 0; from <= last; from += partRows)
      statements.push(
        text.replaceAll('$from', String(from)).replaceAll('$to', String(Math.min(from + partRows - 1, last))),
      )
  }
  for (let shard = 1; shard <= extent.shards; shard++)
    statements.push(shardStatement(extent, shard).replaceAll('$pattern', `'${pattern}'`))
  const waiting = statements.entries()
  const next = async (): Promise<void> => {
    for (const [index, statement] of waiting) {
      await database.query(`set session_replication_role = replica; ${statement}`)
      if ((index + 1) % 32 === 0) log(`filled ${index + 1} of ${statements.length} parts`)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, next))
  await database.query(
    `update shards set companies = counted.companies
     from (select shard, count(*) as companies from companies group by shard) as counted
     where counted.shard = shards.shard`,
  )
  await database.query('analyze')
}
