import type { Command } from 'commander'
import { listMasterKeys, type KnownMasterKey } from '../../platform/keys/list-master-keys.ts'
import type { AppContext } from '../app-context.ts'
import { addCommand, type CommandAnswer } from './add-command.ts'
import { forEachSealedTable } from './sealed-tables.ts'
import { formatTable } from './table.ts'

/** By table, under one master key. */
type SealedRows = Record<string, number>

/** Statements run one after another, each within its deadline. */
async function countSealed(context: AppContext): Promise<Map<string, SealedRows>> {
  const counts = new Map<string, SealedRows>()
  await forEachSealedTable(context, async (sealed, on) => {
    for (const { fingerprint, sealed_rows: rows } of await sealed.count(on)) {
      const key = fingerprint.toString('hex')
      const of = counts.get(key) ?? {}
      of[sealed.table] = (of[sealed.table] ?? 0) + rows
      counts.set(key, of)
    }
  })
  return counts
}

function toKeyAnswer(key: KnownMasterKey, current: Buffer, tables: SealedRows = {}) {
  const use = key.retiredAt !== null ? 'retired' : key.fingerprint.equals(current) ? 'current' : 'previous'
  return {
    fingerprint: key.fingerprint.toString('hex'),
    use,
    since: (key.retiredAt ?? key.recordedAt)!.toISOString(),
    rows: Object.values(tables).reduce((sum, rows) => sum + rows, 0),
    tables,
  }
}

async function list(context: AppContext): Promise<CommandAnswer> {
  const known = await listMasterKeys(context.pool)
  const counts = await countSealed(context)
  const { fingerprint } = context.keys.master.current
  const keys = known.map((key) => toKeyAnswer(key, fingerprint, counts.get(key.fingerprint.toString('hex'))))
  return { json: { keys }, text: formatTable(['fingerprint', 'use', 'since', 'rows'], keys, '') }
}

/** `keys list` */
export function addKeyCommands(program: Command): void {
  const keys = program.command('keys').description('show the master keys of the database')
  addCommand(
    keys,
    {
      name: 'list',
      description:
        'list the fingerprints of master keys, since when each is used or retired, and how many rows it seals',
    },
    list,
  )
}
