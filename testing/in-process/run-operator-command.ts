import { Command, CommanderError } from 'commander'
import { vi } from 'vitest'
import { operatorCommands } from '../../src/app/operator/commands.ts'
import type { RanMain } from './run-main.ts'
import { appendLog } from './test-log.ts'

/** Runs an operator's command as `runMain` does, but in this process, which is quicker, and with its variables. */
export async function runOperatorCommand(args: readonly string[]): Promise<RanMain> {
  const ran: RanMain = { code: 0, out: '', err: '' }
  const out = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    ran.out += String(text)
    return true
  })
  const err = vi.spyOn(process.stderr, 'write').mockImplementation((text) => {
    ran.err += String(text)
    return true
  })
  const program = new Command('numera').exitOverride()
  for (const [, load] of operatorCommands) (await load())(program)
  try {
    await program.parseAsync(args, { from: 'user' })
    ran.code = Number(process.exitCode ?? 0)
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    ran.code = error.exitCode
  } finally {
    process.exitCode = undefined
    out.mockRestore()
    err.mockRestore()
    appendLog(ran.err)
  }
  return ran
}
