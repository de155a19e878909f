import { createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Command } from 'commander'
import { confirmDeletion } from '../../company/deletions/schedule-deletion.ts'
import { showDeletion } from '../../company/deletions/show-deletion.ts'
import { exportCompany } from '../../company/exports/export-company.ts'
import { addCompanyCommand, type CommandAnswer, type CompanyCommandContext } from './add-command.ts'
import { createEmptyFolder } from './export-signature.ts'
import { toFieldsAnswer } from './table.ts'

const fileName = 'company.ndjson'

/** Only the operator's user may read the file: it has everything that the company sent. */
async function exportTo(
  context: CompanyCommandContext,
  companyId: string,
  folder: string,
): Promise<CommandAnswer> {
  await createEmptyFolder(folder)
  const file = join(folder, fileName)
  await pipeline(
    exportCompany(context, 'operator', companyId),
    createWriteStream(file, { mode: 0o600, flags: 'wx' }),
  )
  const { size } = await stat(file)
  return { json: { file, bytes: size }, text: `Wrote ${size} bytes to ${file}.` }
}

async function showState(context: CompanyCommandContext, companyId: string): Promise<CommandAnswer> {
  const { deletion, exportedAt, owners } = await showDeletion(context, 'operator', companyId)
  return toFieldsAnswer({
    state: deletion?.state ?? 'none',
    requested_at: deletion?.requestedAt.toISOString() ?? null,
    deletes_after: deletion?.deletesAfter ?? null,
    exported_at: exportedAt?.toISOString() ?? null,
    owners,
  })
}

/** `company export`, `company delete` */
export function addDeletionCommands(company: Command): void {
  addCompanyCommand<{ folder: string }>(
    company,
    {
      name: 'export',
      description: 'write everything of a company to a file of JSON lines, without secrets',
      example: '--folder bageriet',
      options: (command) =>
        command.requiredOption('--folder <folder>', 'an empty or new folder for the file'),
    },
    (context, { companyId }, { folder }) => exportTo(context, companyId, folder),
  )
  addCompanyCommand<{ confirm?: true }>(
    company,
    {
      name: 'delete',
      description: 'show how far the deletion of a company is, or confirm what its only owner has signed',
      example: '--confirm',
      options: (command) =>
        command.option('--confirm', 'in place of a second owner: it is deleted after 30 days'),
    },
    async (context, { companyId, name }, { confirm }) => {
      if (confirm !== true) return showState(context, companyId)
      const deletesAfter = await confirmDeletion(context, companyId)
      return {
        json: { deletes_after: deletesAfter },
        text: `${name} is deleted after ${deletesAfter}. Until then an owner can withdraw it on the company's pages.`,
      }
    },
  )
}
