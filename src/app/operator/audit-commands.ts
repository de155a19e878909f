import { once } from 'node:events'
import type { Command } from 'commander'
import type { DeploymentEvent } from '../../company/audit/deployment-event.ts'
import { listDeploymentEvents } from '../../company/audit/list-deployment-events.ts'
import { wholeAudit } from '../../company/audit/audit-filter.ts'
import { writeAuditFile } from '../../company/audit/write-audit-file.ts'
import { formatDay } from '../../formats/values/period.ts'
import { lowestUuidv7 } from '../../formats/values/uuidv7.ts'
import { readDay } from '../../platform/reads/read-window.ts'
import { addCommand, addCompanyCommand } from './add-command.ts'
import { parseWholeNumber } from './read-input.ts'
import { formatTable } from './table.ts'

function toEventAnswer({ eventId, at, action, details }: DeploymentEvent) {
  return { event_id: eventId, at: at.toISOString(), action, details }
}

/** Waits for a reader that is slower, such as a pipe. */
async function print(lines: string): Promise<void> {
  if (!process.stdout.write(lines)) await once(process.stdout, 'drain')
}

/** The first instant of a day in a time zone, in milliseconds since 1970. */
function toStartMs(day: string, timeZone: string): number {
  return Temporal.PlainDate.from(formatDay(readDay(day, '--since'))).toZonedDateTime(timeZone)
    .epochMilliseconds
}

/** `audit export`, `audit list` */
export function addAuditCommands(program: Command): void {
  const audit = program.command('audit').description('show what was done, in a company and to the deployment')
  addCompanyCommand<{ since?: string }>(
    audit,
    {
      name: 'export',
      description: "write a company's audit as NDJSON, the oldest event first",
      example: '--since 2026-01-31',
      options: (command) =>
        command.option('--since <day>', "what was done on this day of the company's calendar, or later"),
    },
    async ({ pool }, { companyId, timeZone }, { since }) => {
      const sinceMs = since === undefined ? undefined : toStartMs(since, timeZone)
      await writeAuditFile(
        { pool },
        { companyId, filter: { ...wholeAudit, since: lowestUuidv7(sinceMs ?? 0) } },
        print,
      )
      return undefined
    },
  )
  addCommand<{ limit: number; cursor?: string }>(
    audit,
    {
      name: 'list',
      description: 'list what was done to the deployment, the newest first',
      options: (command) =>
        command
          .option('--limit <number>', 'the most to list, 1 to 200', parseWholeNumber, 50)
          .option('--cursor <text>', 'continue after the previous list'),
    },
    async (context, { limit, cursor }) => {
      const { items, nextCursor } = await listDeploymentEvents(
        context,
        cursor === undefined ? { limit } : { limit, cursor },
      )
      const events = items.map(toEventAnswer)
      const table = formatTable(['at', 'action', 'details'], events, 'Nothing has been recorded yet.')
      const more = nextCursor === null ? '' : `\nThere are more: --cursor ${nextCursor}`
      return { json: { events, next_cursor: nextCursor }, text: `${table}${more}` }
    },
  )
}
