import { InvalidArgumentError, type Command } from 'commander'
import { addCompany } from '../../people/companies/add-company.ts'
import type { Company } from '../../people/companies/company.ts'
import { listCompanies } from '../../people/companies/list-companies.ts'
import { formatOrgnr } from '../../formats/values/orgnr.ts'
import { companyLimits } from '../../platform/config/config.ts'
import { compareWithLimits } from '../../engine/usage/count-usage.ts'
import { recountUsage } from '../../engine/usage/recount-usage.ts'
import { setLimits } from '../../engine/usage/set-limits.ts'
import { showUsage, type Usage } from '../../engine/usage/show-usage.ts'
import { withExample } from './examples.ts'
import { namedCompany } from './named-company.ts'
import { OperatorError } from './operator-error.ts'
import { runCommand } from './run-command.ts'
import { formatFields, formatTable } from './table.ts'

function companyAnswer(company: Company) {
  return {
    company_id: company.companyId,
    orgnr: formatOrgnr(company.orgnr),
    name: company.name,
    time_zone: company.timeZone,
    created_at: company.createdAt.toISOString(),
  }
}

/** `--stored-bytes 1000` sets a limit, `--stored-bytes default` goes back to the deployment's. */
function parseLimit(value: string): number | 'default' {
  if (value === 'default') return value
  if (!/^[1-9]\d{0,14}$/.test(value))
    throw new InvalidArgumentError('It is no whole number above 0, nor "default".')
  return Number(value)
}

/** `stored_bytes` as an option: `--stored-bytes`. */
function toOption(limit: string): string {
  return limit.replaceAll('_', '-')
}

function usageText({ limits, reached }: Usage): string {
  const table = formatTable(['limit', 'used', 'max'], limits, '')
  return `${table}\n${reached === null ? 'No limit is reached.' : `Reached: ${reached}`}`
}

function addLimitsCommand(company: Command): void {
  const limits = withExample(
    company.command('limits'),
    'company limits --company 556016-0680 --cells 1000000',
  )
    .description('show what a company holds and may hold, and change what it may')
    .requiredOption('--company <orgnr>', 'organisation number')
    .option('--json', 'answer in JSON')
  for (const limit of companyLimits) {
    limits.option(`--${toOption(limit)} <number>`, 'a number, or "default" for the deployment’s', parseLimit)
  }
  limits.action(async (options: { company: string } & Record<string, unknown>, command: Command) => {
    await runCommand(command, async (context) => {
      const { companyId } = await namedCompany(context, options.company)
      const changes = Object.fromEntries(
        companyLimits.flatMap((limit) => {
          const value = options[limit.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase())]
          // An empty text is not parsed.
          if (value === '') throw new OperatorError(`Say a number after --${toOption(limit)}, or "default".`)
          return value === undefined ? [] : [[limit, value === 'default' ? null : (value as number)]]
        }),
      )
      if (Object.keys(changes).length > 0) await setLimits(context, companyId, changes)
      const usage = await showUsage(context, companyId)
      return { json: usage, text: usageText(usage) }
    })
  })
}

function addRecountCommand(company: Command): void {
  withExample(company.command('recount'), 'company recount --company 556016-0680')
    .description('recount what a company holds, from the tables themselves')
    .requiredOption('--company <orgnr>', 'organisation number')
    .option('--json', 'answer in JSON')
    .action(async (options: { company: string }, command: Command) => {
      await runCommand(command, async (context) => {
        const { companyId } = await namedCompany(context, options.company)
        if (!(await recountUsage(context, companyId)))
          throw new OperatorError(
            'The company is already being recounted: see "company limits" in a while.',
            { showsExample: false },
          )
        await compareWithLimits(context, context.pool, companyId)
        const usage = await showUsage(context, companyId)
        return { json: usage, text: usageText(usage) }
      })
    })
}

function addAddCommand(company: Command): void {
  withExample(company.command('add'), 'company add --orgnr 556016-0680 --name "Bageriet AB"')
    .description('add a company')
    .requiredOption('--orgnr <number>', 'organisation number, or a sole trader’s personal number')
    .requiredOption('--name <name>', 'as people know it')
    .option('--time-zone <zone>', 'IANA name; days, weeks and months are counted in it', 'Europe/Stockholm')
    .option('--json', 'answer in JSON')
    .action(async (options: { orgnr: string; name: string; timeZone: string }, command: Command) => {
      await runCommand(command, async (context) => {
        const json = companyAnswer(await addCompany(context, options))
        return { json, text: formatFields(json) }
      })
    })
}

function addListCommand(company: Command): void {
  withExample(company.command('list'), 'company list')
    .description('list all companies')
    .option('--json', 'answer in JSON')
    .action(async (_options: object, command: Command) => {
      await runCommand(command, async (context) => {
        const companies = (await listCompanies(context)).map(companyAnswer)
        const columns = ['company_id', 'orgnr', 'name', 'time_zone']
        return { json: { companies }, text: formatTable(columns, companies, 'There is no company yet.') }
      })
    })
}

function addShowCommand(company: Command): void {
  withExample(company.command('show'), 'company show --company 556016-0680')
    .description('show a company')
    .requiredOption('--company <orgnr>', 'organisation number')
    .option('--json', 'answer in JSON')
    .action(async (options: { company: string }, command: Command) => {
      await runCommand(command, async (context) => {
        const json = companyAnswer(await namedCompany(context, options.company))
        return { json, text: formatFields(json) }
      })
    })
}

/** `company add`, `list`, `show`, `limits`, `recount` */
export function addCompanyCommands(program: Command): void {
  const company = program.command('company').description('companies of this deployment')
  addAddCommand(company)
  addListCommand(company)
  addShowCommand(company)
  addLimitsCommand(company)
  addRecountCommand(company)
}
