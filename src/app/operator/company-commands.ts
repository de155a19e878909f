import { InvalidArgumentError, type Command } from 'commander'
import { recordAuditEvent } from '../../company/audit/record-audit-event.ts'
import { addCompany } from '../../people/companies/add-company.ts'
import type { Company } from '../../people/companies/company.ts'
import { listCompanies } from '../../people/companies/list-companies.ts'
import { formatOrgnr } from '../../formats/values/orgnr.ts'
import { companyLimits } from '../../platform/config/config.ts'
import { compareWithLimits } from '../../engine/usage/count-usage.ts'
import { recountUsage } from '../../engine/usage/recount-usage.ts'
import { setLimits } from '../../engine/usage/set-limits.ts'
import { showUsage, type Usage } from '../../engine/usage/show-usage.ts'
import { addCommand, addCompanyCommand, type CommandAnswer } from './add-command.ts'
import { addDeletionCommands } from './deletion-commands.ts'
import { OperatorError } from './operator-error.ts'
import { formatTable, toFieldsAnswer } from './table.ts'

function companyAnswer(company: Company) {
  return {
    company_id: company.companyId,
    orgnr: formatOrgnr(company.orgnr),
    name: company.name,
    time_zone: company.timeZone,
    created_at: company.createdAt.toISOString(),
  }
}

/** `--stored-bytes 1000` sets a limit, `--stored-bytes default` restores the deployment's. */
function parseLimit(value: string): number | 'default' {
  if (value === 'default') return value
  if (!/^[1-9]\d{0,14}$/.test(value))
    throw new InvalidArgumentError('It is neither a whole number above 0 nor "default".')
  return Number(value)
}

/** `stored_bytes` as an option: `--stored-bytes`. */
function toOption(limit: string): string {
  return limit.replaceAll('_', '-')
}

function usageAnswer(usage: Usage): CommandAnswer {
  const { limits, reached } = usage
  const table = formatTable(['limit', 'used', 'max'], limits, '')
  return {
    json: usage,
    text: `${table}\n${reached === null ? 'No limit is reached.' : `Reached: ${reached}`}`,
  }
}

function addLimitsCommand(parent: Command): void {
  addCompanyCommand<Record<string, unknown>>(
    parent,
    {
      name: 'limits',
      description: "show a company's usage and limits, and change limits",
      example: '--cells 1000000',
      options: (command) =>
        companyLimits.reduce(
          (each, limit) =>
            each.option(
              `--${toOption(limit)} <number>`,
              'a number, or "default" for the deployment\'s',
              parseLimit,
            ),
          command,
        ),
    },
    async (context, { companyId, name }, options) => {
      const changes = Object.fromEntries(
        companyLimits.flatMap((limit) => {
          const value = options[limit.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())]
          // An empty text is not parsed.
          if (value === '') throw new OperatorError(`--${toOption(limit)} needs a number or "default".`)
          return value === undefined ? [] : [[limit, value === 'default' ? null : (value as number)]]
        }),
      )
      if (Object.keys(changes).length > 0) {
        await setLimits(context, companyId, changes, (on, changed) =>
          recordAuditEvent(on, {
            companyId,
            actor: 'operator',
            action: 'limits_changed',
            subject: { kind: 'company', id: companyId, name },
            details: changed,
            atMs: context.clock.now(),
          }),
        )
      }
      return usageAnswer(await showUsage(context, companyId))
    },
  )
}

/** `company add`, `list`, `show`, `limits`, `recount`, `export`, `delete` */
export function addCompanyCommands(program: Command): void {
  const company = program.command('company').description('manage companies and their limits')
  addCommand<{ orgnr: string; name: string; timeZone: string }>(
    company,
    {
      name: 'add',
      description: 'add a company',
      example: '--orgnr 556016-0680 --name "Bageriet AB"',
      options: (command) =>
        command
          .requiredOption('--orgnr <number>', "organisation number, or a sole trader's personal number")
          .requiredOption('--name <name>', 'the name shown to people')
          .option('--time-zone <zone>', 'IANA time zone of its days, weeks and months', 'Europe/Stockholm'),
    },
    async (context, options) => toFieldsAnswer(companyAnswer(await addCompany(context, options))),
  )
  addCommand(company, { name: 'list', description: 'list all companies' }, async (context) => {
    const companies = (await listCompanies(context)).map(companyAnswer)
    const columns = ['company_id', 'orgnr', 'name', 'time_zone']
    return { json: { companies }, text: formatTable(columns, companies, 'There is no company yet.') }
  })
  addCompanyCommand(company, { name: 'show', description: 'show a company' }, async (_context, shown) =>
    toFieldsAnswer(companyAnswer(shown)),
  )
  addLimitsCommand(company)
  addCompanyCommand(
    company,
    { name: 'recount', description: "recount a company's usage from the tables" },
    async (context, { companyId }) => {
      if (!(await recountUsage(context, companyId)))
        throw new OperatorError('The company is already being recounted: try "company limits" later.', {
          showsExample: false,
        })
      await compareWithLimits(context, context.pool, companyId)
      return usageAnswer(await showUsage(context, companyId))
    },
  )
  addDeletionCommands(company)
}
