import type { Command } from 'commander'

/** Puts a command on the program. */
export type AddCommand = (program: Command) => void

/**
 * What the operator does without the pages (docs/guides/operating.md), by the first word of its commands. Each is loaded
 * when it is run: loading what the others need would take most of its time.
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
  ['tokens', async () => (await import('./token-commands.ts')).addTokenCommands],
  ['rebuild', async () => (await import('./rebuild-command.ts')).addRebuildCommand],
  ['reseal', async () => (await import('./reseal-command.ts')).addResealCommand],
]
