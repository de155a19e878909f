import type { Command } from 'commander'

/** Adds a command to the program. */
export type AddCommand = (program: Command) => void

/**
 * The operator's commands (docs/guides/operating.md) by their first word. Each is loaded when it is run, since loading the
 * imports of the others would take most of its time.
 */
export const operatorCommands: readonly (readonly [word: string, load: () => Promise<AddCommand>])[] = [
  ['company', async () => (await import('./company-commands.ts')).addCompanyCommands],
  ['member', async () => (await import('./member-commands.ts')).addMemberCommands],
  ['source', async () => (await import('./source-commands.ts')).addSourceCommands],
  ['connection', async () => (await import('./connection-commands.ts')).addConnectionCommands],
  ['delivery', async () => (await import('./delivery-commands.ts')).addDeliveryCommands],
  ['sample', async () => (await import('./sample-commands.ts')).addSampleCommands],
  ['app', async () => (await import('./app-commands.ts')).addAppCommands],
  ['signature', async () => (await import('./signature-commands.ts')).addSignatureCommands],
  ['shards', async () => (await import('./shard-commands.ts')).addShardCommands],
  ['distribute', async () => (await import('./distribute-command.ts')).addDistributeCommand],
  ['backup', async () => (await import('./backup-commands.ts')).addBackupCommands],
  ['restore', async () => (await import('./restore-command.ts')).addRestoreCommand],
  ['tokens', async () => (await import('./token-commands.ts')).addTokenCommands],
  ['rebuild', async () => (await import('./rebuild-command.ts')).addRebuildCommand],
  ['keys', async () => (await import('./key-commands.ts')).addKeyCommands],
  ['audit', async () => (await import('./audit-commands.ts')).addAuditCommands],
  ['reseal', async () => (await import('./reseal.ts')).addResealCommand],
]
