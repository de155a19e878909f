import type { Command } from 'commander'
import { withExample } from './examples.ts'
import { reseal } from './reseal.ts'
import { runCommand } from './run-command.ts'

/** `reseal` */
export function addResealCommand(program: Command): void {
  withExample(program.command('reseal'), 'reseal')
    .description('reseal everything under NUMERA_MASTER_KEY and retire NUMERA_MASTER_KEY_PREVIOUS')
    .option('--json', 'answer in JSON')
    .action((_options: object, command: Command) =>
      runCommand(command, async (context) => {
        const { resealed, retired } = await reseal(context)
        const lines = Object.entries(resealed).map(([table, values]) => `${table}: ${values} resealed`)
        return {
          json: { resealed, retired_fingerprints: retired },
          text: [
            ...lines,
            retired.length === 0
              ? 'NUMERA_MASTER_KEY was the only key already.'
              : 'NUMERA_MASTER_KEY is the only key now: NUMERA_MASTER_KEY_PREVIOUS is no longer needed.',
          ].join('\n'),
        }
      }),
    )
}
