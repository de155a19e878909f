import { createHash, randomUUID } from 'node:crypto'
import {
  closeSync,
  existsSync,
  linkSync,
  openSync,
  realpathSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { KeyReused } from './errors.ts'
import type { Scope } from './scope.ts'
import { OutboxDamaged, OutboxFull, OutboxVersion, resultCode, toOutboxError } from './outbox-errors.ts'

/** "NuOb" */
const applicationId = 0x4e754f62
const version = 1

const pageBytes = 4096

const schema = `
  pragma page_size = ${pageBytes};
  pragma journal_mode = wal;
  pragma synchronous = full;
  begin;
  create table sources (
    id integer primary key,
    source_id text not null,
    orgnr text not null,
    unique (source_id, orgnr)
  ) strict;
  create table deliveries (
    number integer primary key,
    source integer not null references sources,
    key text not null,
    sha256 blob not null,
    body blob not null,
    failure text,
    unique (source, key)
  ) strict;
  create index pending on deliveries (source, number) where failure is null;
  create index failed on deliveries (key) where failure is not null;
  create table totals (deliveries integer not null, bytes integer not null) strict;
  insert into totals values (0, 0);
  create trigger stored after insert on deliveries begin
    update totals set deliveries = deliveries + 1, bytes = bytes + length(new.body);
  end;
  create trigger deleted after delete on deliveries begin
    update totals set deliveries = deliveries - 1, bytes = bytes - length(old.body);
  end;
  pragma application_id = ${applicationId};
  pragma user_version = ${version};
  commit;`

const statements = {
  addSource: 'insert into sources (source_id, orgnr) values (?, ?) on conflict do nothing',
  findSource: 'select id from sources where source_id = ? and orgnr = ?',
  findHash: 'select sha256 from deliveries where source = ? and key = ?',
  add: 'insert into deliveries (source, key, sha256, body) values (?, ?, ?, ?)',
  remove: 'delete from deliveries where number = ?',
  fail: 'update deliveries set failure = ? where number = ?',
  retry: 'update deliveries set failure = null where number = ?',
  totals: 'select deliveries, bytes from totals',
  freePages: 'pragma freelist_count',
  waiting: `select id, source_id as sourceId, orgnr from sources
    where exists (select 1 from deliveries where source = sources.id and failure is null)`,
  next: `select number, key, sha256, body from deliveries
    where source = ? and failure is null order by number limit 1`,
  failed: `select number, key, source_id as sourceId, orgnr, failure
    from deliveries join sources on sources.id = source where failure is not null order by number`,
  findFailed: `select number from deliveries join sources on sources.id = source
    where failure is not null and key = ?1 and (?2 is null or source_id = ?2) and (?3 is null or orgnr = ?3)`,
}

/** As the query of a push names it; empty where the connection says it. */
export type Target = Required<Omit<Scope, 'signal'>>

export interface WaitingSource extends Target {
  id: number
}

interface Write {
  work(): unknown
  resolve(value: unknown): void
  reject(error: unknown): void
}

/** Writes that share one commit at most. */
const writesMax = 1000
/** Of the disk, left for the log and what it leads to: to delete what was sent takes space first. */
const reserveBytes = 16 * 2 ** 20

/**
 * The file of an outbox. Every process may have it open; SQLite locks it for one write at a time.
 *
 * @throws OutboxVersion, OutboxDamaged, OutboxLocked; OutboxError where it cannot be opened
 */
export class OutboxFile {
  /** Without symbolic links, so that all processes mean the same files beside it. */
  readonly path: string
  readonly database: DatabaseSync
  readonly #statements: Record<keyof typeof statements, StatementSync>
  #writes: Write[] = []
  /** Of the bodies in the transaction that runs. */
  #addedBytes = 0

  constructor(path: string) {
    // In this sequence: a process that has just created the file may write its log at any time.
    const hasLog = existsSync(`${path}-wal`)
    if (!existsSync(path)) {
      if (hasLog) throw new OutboxDamaged(`${path}-wal is there, but the outbox ${path} is missing.`)
      create(path)
    }
    this.path = realpathSync(path)
    if (statSync(this.path).size < pageBytes) throw new OutboxDamaged(`The outbox ${path} is truncated.`)
    let database: DatabaseSync | undefined
    try {
      database = new DatabaseSync(this.path)
      check(database, path)
      this.database = database
      const prepared = Object.entries(statements).map(([name, sql]) => [name, database!.prepare(sql)])
      this.#statements = Object.fromEntries(prepared)
    } catch (error) {
      database?.close()
      throw toOutboxError(error, path)
    }
  }

  /**
   * Runs `work` in a transaction that all writes of this turn of the event loop share. Resolves when it is on disk. An error that
   * `work` throws before it has stored a delivery fails this write alone.
   */
  write<T>(work: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.#writes.length === 0) setImmediate(() => this.#flush())
      this.#writes.push({ work, resolve: resolve as Write['resolve'], reject })
    })
  }

  #flush(): void {
    const batch = this.#writes.splice(0, writesMax)
    if (this.#writes.length > 0) setImmediate(() => this.#flush())
    const { database } = this
    this.#addedBytes = 0
    try {
      database.exec('begin immediate')
      const ends = batch.map(({ work, resolve, reject }) => {
        try {
          const value = work()
          return () => resolve(value)
        } catch (error) {
          if (resultCode(error) !== undefined) throw error
          return () => reject(error)
        }
      })
      database.exec('commit')
      for (const end of ends) end()
    } catch (error) {
      // SQLite may have rolled it back already.
      if (database.isOpen && database.isTransaction) database.exec('rollback')
      const shown = toOutboxError(error, this.path)
      for (const { reject } of batch) reject(shown)
    }
  }

  /** Within a write. @throws KeyReused, OutboxFull */
  add({ sourceId, orgnr }: Target, key: string, body: Uint8Array, bytesMax: number): void {
    const { addSource, findSource, findHash, add } = this.#statements
    addSource.run(sourceId, orgnr)
    const { id } = findSource.get(sourceId, orgnr) as { id: number }
    const sha256 = hash(body)
    const kept = findHash.get(id, key) as { sha256: Uint8Array } | undefined
    if (kept && sha256.equals(kept.sha256)) return
    if (kept) throw new KeyReused('The outbox has this key with other rows.', { code: 'key_reused' })
    if (this.totals().bytes + body.length > bytesMax) {
      throw new OutboxFull(`The outbox ${this.path} has reached its bound of ${bytesMax} bytes.`)
    }
    this.#requireSpace(body.length)
    add.run(id, key, sha256, body)
  }

  /** Of the disk, or of what the file had for deliveries that were sent. The log has what is added once more. */
  #requireSpace(bodyBytes: number): void {
    this.#addedBytes += bodyBytes
    const { bavail, bsize } = statfsSync(this.path)
    const freePages = this.#statements.freePages.get()!['freelist_count'] as number
    if (bavail * bsize + freePages * pageBytes < reserveBytes + 2 * this.#addedBytes) {
      throw new OutboxFull(`The outbox ${this.path} cannot grow: the disk is full.`)
    }
  }

  /** Within a write: a delivery was stored, or refused for good with `failure`. */
  settle(number: number, failure?: string): void {
    if (failure === undefined) this.#statements.remove.run(number)
    else this.#statements.fail.run(failure, number)
  }

  /** Within a write: sends failed ones again, or deletes them. @returns how many there were */
  settleFailed(step: 'retry' | 'remove', key: string, { sourceId, orgnr }: Partial<Target>): number {
    const found = this.#statements.findFailed.all(key, sourceId ?? null, orgnr ?? null)
    for (const { number } of found) this.#statements[step].run(number!)
    return found.length
  }

  failed(): (Target & { key: string; failure: string })[] {
    return this.#statements.failed.all() as unknown as ReturnType<OutboxFile['failed']>
  }

  totals(): { deliveries: number; bytes: number } {
    return this.#statements.totals.get() as ReturnType<OutboxFile['totals']>
  }

  /** Sources with something to send. */
  waiting(): WaitingSource[] {
    return this.#statements.waiting.all() as unknown as WaitingSource[]
  }

  /** The first delivery of a source. @throws OutboxDamaged if it is not what was stored */
  next(source: number): { number: number; body: Uint8Array<ArrayBuffer> } | undefined {
    const row = this.#statements.next.get(source) as
      | { number: number; key: string; sha256: Uint8Array; body: Uint8Array<ArrayBuffer> }
      | undefined
    if (!row || hash(row.body).equals(row.sha256)) return row
    throw new OutboxDamaged(`The outbox ${this.path} is damaged: the rows of ${row.key} have changed.`)
  }

  /** What was written before is on disk. */
  async close(): Promise<void> {
    if (!this.database.isOpen) return
    await this.write(() => undefined).catch(() => undefined)
    if (this.database.isOpen) this.database.close()
  }
}

const hash = (body: Uint8Array): Buffer => createHash('sha256').update(body).digest()

/** Creates an empty file for its owner alone, unless there is one. */
export function createPrivately(path: string): void {
  try {
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error
  }
}

/**
 * Creates the file whole, or not at all. Where another process was first, its file stays. Its name is on disk with the first commit: that
 * creates the log in the same folder, which SQLite syncs.
 */
function create(path: string): void {
  const draft = `${path}.${randomUUID()}`
  try {
    createPrivately(draft)
    const database = new DatabaseSync(draft)
    database.exec(schema)
    database.close()
    linkSync(draft, path)
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw toOutboxError(error, path)
  } finally {
    rmSync(draft, { force: true })
  }
}

function check(database: DatabaseSync, path: string): void {
  const read = (pragma: string): unknown => Object.values(database.prepare(`pragma ${pragma}`).get() ?? {})[0]
  database.exec('pragma busy_timeout = 10000')
  if (read('application_id') !== applicationId) throw new OutboxVersion(`The file ${path} is not an outbox.`)
  const found = read('user_version')
  if (found !== version) {
    throw new OutboxVersion(`The outbox ${path} has version ${found}; this package reads version ${version}.`)
  }
  const fault = read('quick_check(1)')
  if (fault !== 'ok') throw new OutboxDamaged(`The outbox ${path} is damaged: ${fault}.`)
  // The log is synced at each commit; `fullfsync` is for macOS. After a long batch the log is cut to 32 MiB.
  for (const pragma of ['synchronous = full', 'fullfsync = on', 'journal_size_limit = 33554432']) {
    database.exec(`pragma ${pragma}`)
  }
}
