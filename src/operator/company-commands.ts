import type { Command } from 'commander'
import { addCompany } from '../companies/add-company.ts'
import type { Company } from '../companies/company.ts'
import { listCompanies } from '../companies/list-companies.ts'
import { formatOrgnr } from '../companies/orgnr.ts'
import { runCommand } from './run-command.ts'

const companyAnswer = (company: Company) => ({
  company_id: company.companyId,
  orgnr: formatOrgnr(company.orgnr),
  name: company.name,
  time_zone: company.timeZone,
  created_at: company.createdAt.toISOString(),
})

const companyLine = (company: Company): string =>
  `${company.companyId}  ${formatOrgnr(company.orgnr)}  ${company.name}  (${company.timeZone})`

/** `company add`, `company list` */
export const addCompanyCommands = (program: Command): void => {
  const company = program.command('company').description('companies of this deployment')

  company
    .command('add')
    .description('add a company')
    .requiredOption('--orgnr <number>', 'organisation number, or a sole trader’s personal number')
    .requiredOption('--name <name>', 'as people know it')
    .option('--time-zone <zone>', 'IANA name; days, weeks and months are counted in it', 'Europe/Stockholm')
    .option('--json', 'answer in JSON')
    .action(async (options: { orgnr: string; name: string; timeZone: string }, command: Command) => {
      await runCommand(command, async (context) => {
        const added = await addCompany(context, options)
        return { json: companyAnswer(added), text: companyLine(added) }
      })
    })

  company
    .command('list')
    .description('list all companies')
    .option('--json', 'answer in JSON')
    .action(async (_options: object, command: Command) => {
      await runCommand(command, async (context) => {
        const companies = await listCompanies(context)
        return {
          json: { companies: companies.map(companyAnswer) },
          text: companies.map(companyLine).join('\n') || 'There is no company yet.',
        }
      })
    })
}
