import type { AppContext } from '../app-context.ts'
import { type Command } from 'commander'
import { requestRebuild } from '../../company/sources/request-rebuild.ts'
import { NewSource } from '../../company/sources/source-schemas.ts'
import { createSource, type CreatedSource } from '../../company/sources/create-source.ts'
import { listSources } from '../../company/sources/list-sources.ts'
import { pauseSource, resumeSource } from '../../company/sources/pause-source.ts'
import { readNewSource } from '../../company/sources/read-new-source.ts'
import { rotateSigningSecret } from '../../company/sources/signing-secrets/rotate-signing-secret.ts'
import { saveSource } from '../../company/sources/save-source.ts'
import { showSource } from '../../company/sources/show-source.ts'
import {
  toCreatedSourceAnswer,
  shapeVersionAnswer,
  sourceAnswer,
} from '../../company/sources/to-source-answer.ts'
import { conflict } from '../../platform/http/errors/errors.ts'
import { everyPage } from './every-page.ts'
import { withExample } from './examples.ts'
import { namedCompany } from './named-company.ts'
import { parseId, parseWholeNumber, readJsonFile } from './read-input.ts'
import { runCommand, type CommandAnswer } from './run-command.ts'
import { formatFields, formatTable } from './table.ts'

/** A source, with the signing secret that this very command gave it. */
function sourceText(source: CreatedSource): CommandAnswer {
  const json = toCreatedSourceAnswer(source)
  return { json, text: formatFields(json) }
}

const listColumns = ['source_id', 'name', 'channel', 'delivers', 'shape_version', 'state']

/** Shape versions, the latest first: their fields and metrics by name. */
function versionsText(versions: ReturnType<typeof shapeVersionAnswer>[]): string {
  const rows = versions.map((version) => ({
    ...version,
    fields: version.fields.map(({ name }) => name),
    metrics: version.metrics.map(({ metric }) => metric),
  }))
  return formatTable(['shape_version', 'saved_at', 'delivers', 'event_time', 'fields', 'metrics'], rows, '')
}

interface SourceOptions {
  company: string
  source: string
}

/** A command about one source of one company. */
function onSource(
  parent: Command,
  name: string,
  description: string,
  work: (context: AppContext, companyId: string, sourceId: string) => Promise<CommandAnswer>,
): void {
  withExample(parent.command(name), `source ${name} --company 556016-0680 --source 0198…`)
    .description(description)
    .requiredOption('--company <orgnr>', 'the company')
    .requiredOption('--source <id>', 'the source', parseId)
    .option('--json', 'answer in JSON')
    .action(async (options: SourceOptions, command: Command) => {
      await runCommand(command, async (context) => {
        const { companyId } = await namedCompany(context, options.company)
        return work(context, companyId, options.source)
      })
    })
}

async function showState(context: AppContext, companyId: string, sourceId: string): Promise<CommandAnswer> {
  const { source } = await showSource(context, 'operator', companyId, sourceId)
  return sourceText({ source, signingSecret: undefined })
}

function addSource(parent: Command): void {
  withExample(parent.command('add'), 'source add --company 556016-0680 --file declaration.json')
    .description('make a source from a file')
    .requiredOption('--company <orgnr>', 'the company')
    .requiredOption(
      '--file <path>',
      'name, system_kind, fields, event_time, metrics, delivers as JSON; "-": standard input',
    )
    .option('--json', 'answer in JSON')
    .action(async (options: { company: string; file: string }, command: Command) => {
      await runCommand(command, async (context) => {
        const { companyId } = await namedCompany(context, options.company)
        const input = readNewSource(await readJsonFile(options.file, NewSource))
        return sourceText(await createSource(context, 'operator', companyId, input))
      })
    })
}

function addSaveCommand(parent: Command): void {
  withExample(
    parent.command('save'),
    'source save --company 556016-0680 --source 0198… --file declaration.json',
  )
    .description('save a changed declaration as the next shape version')
    .requiredOption('--company <orgnr>', 'the company')
    .requiredOption('--source <id>', 'the source', parseId)
    .requiredOption('--file <path>', 'the whole file that "source add" takes, changed; "-": standard input')
    .option(
      '--expected-version <number>',
      'refuse where another version is the current one',
      parseWholeNumber,
    )
    .option('--json', 'answer in JSON')
    .action(async (options: SourceOptions & { file: string; expectedVersion?: number }, command: Command) => {
      await runCommand(command, async (context) => {
        const { companyId } = await namedCompany(context, options.company)
        const { source: sourceId } = options
        const file = await readJsonFile(options.file, NewSource)
        const { source: before } = await showSource(context, 'operator', companyId, sourceId)
        const { shapeVersion, revision } = before
        if ((options.expectedVersion ?? shapeVersion) !== shapeVersion) {
          throw conflict(`Version ${shapeVersion} was saved meanwhile.`, 'expected_version')
        }
        // What the file leaves out stays: becoming a push source would end the secrets that its senders sign with.
        const { channel = before.channel, format = before.format } = file
        const input = { ...readNewSource(file), channel, format }
        const saved = await saveSource(context, 'operator', companyId, sourceId, revision, input)
        const { json, text } = sourceText(saved)
        return {
          json: { ...(json as object), rebuilds: saved.rebuilds },
          text: text + (saved.rebuilds ? '\nThe stored deliveries are being rebuilt.' : ''),
        }
      })
    })
}

/** `source add`, `save`, `list`, `show`, `pause`, `resume`, `rebuild`, `rotate-secret` */
export function addSourceCommands(program: Command): void {
  const source = program.command('source').description('the systems that send numbers')
  addSource(source)
  addSaveCommand(source)

  withExample(source.command('list'), 'source list --company 556016-0680')
    .description('list the sources of a company')
    .requiredOption('--company <orgnr>', 'the company')
    .option('--json', 'answer in JSON')
    .action(async (options: { company: string }, command: Command) => {
      await runCommand(command, async (context) => {
        const { companyId } = await namedCompany(context, options.company)
        const listed = await everyPage((page) => listSources(context, 'operator', companyId, page))
        const sources = listed.map(sourceAnswer)
        return {
          json: { sources },
          text: formatTable(listColumns, sources, 'The company has no sources yet.'),
        }
      })
    })

  onSource(
    source,
    'show',
    'show a source with its latest shape versions',
    async (context, companyId, sourceId) => {
      const shown = await showSource(context, 'operator', companyId, sourceId)
      const versions = shown.versions.items.map(shapeVersionAnswer)
      return {
        json: { source: sourceAnswer(shown.source), versions },
        text: `${formatFields(sourceAnswer(shown.source))}\n\n${versionsText(versions)}`,
      }
    },
  )
  onSource(source, 'pause', 'take no new deliveries', async (context, companyId, sourceId) => {
    await pauseSource(context, 'operator', companyId, sourceId)
    return showState(context, companyId, sourceId)
  })
  onSource(source, 'resume', 'take deliveries again', async (context, companyId, sourceId) => {
    await resumeSource(context, 'operator', companyId, sourceId)
    return showState(context, companyId, sourceId)
  })
  onSource(source, 'rebuild', 'rebuild all stored deliveries', async (context, companyId, sourceId) => {
    await requestRebuild(context, 'operator', companyId, sourceId)
    return showState(context, companyId, sourceId)
  })
  onSource(
    source,
    'rotate-secret',
    'give a webhook source a new signing secret; the one before works 24 hours more',
    async (context, companyId, sourceId) =>
      sourceText(await rotateSigningSecret(context, 'operator', companyId, sourceId)),
  )
}
