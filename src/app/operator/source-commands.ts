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
import { addCompanyCommand, type CommandAnswer, type CompanyCommandContext } from './add-command.ts'
import { everyPage, parseId, parseWholeNumber, readJsonFile } from './read-input.ts'
import { formatFields, formatTable, toFieldsAnswer } from './table.ts'

/** A source, with the signing secret that this command created. */
function toAnswer(source: CreatedSource): CommandAnswer {
  return toFieldsAnswer(toCreatedSourceAnswer(source))
}

const listColumns = ['source_id', 'name', 'channel', 'delivers', 'shape_version', 'state']

/** Shape versions with the names of their fields and metrics. */
function versionsText(versions: ReturnType<typeof shapeVersionAnswer>[]): string {
  const rows = versions.map((version) => ({
    ...version,
    fields: version.fields.map(({ name }) => name),
    metrics: version.metrics.map(({ metric }) => metric),
  }))
  return formatTable(['shape_version', 'saved_at', 'delivers', 'event_time', 'fields', 'metrics'], rows, '')
}

interface SourceDefinition {
  name: string
  description: string
  example?: string
  options?: (command: Command) => Command
}

/** Adds a command on one source. */
function addSourceCommand<Options extends object = object>(
  parent: Command,
  { example = '', options = (command) => command, ...definition }: SourceDefinition,
  run: (
    context: CompanyCommandContext,
    companyId: string,
    sourceId: string,
    options: Options,
  ) => Promise<CommandAnswer>,
): void {
  addCompanyCommand<Options & { source: string }>(
    parent,
    {
      ...definition,
      example: `--source 0198… ${example}`,
      options: (command) => options(command.requiredOption('--source <id>', 'the source', parseId)),
    },
    async (context, { companyId }, given) => run(context, companyId, given.source, given),
  )
}

async function showState(
  context: CompanyCommandContext,
  companyId: string,
  sourceId: string,
): Promise<CommandAnswer> {
  const { source } = await showSource(context, 'operator', companyId, sourceId)
  return toAnswer({ source, signingSecret: undefined })
}

function addSaveCommand(parent: Command): void {
  addSourceCommand<{ file: string; expectedVersion?: number }>(
    parent,
    {
      name: 'save',
      description: 'save a changed declaration as the next shape version',
      example: '--file declaration.json',
      options: (command) =>
        command
          .requiredOption('--file <path>', 'the complete file, as for "source add"; "-": standard input')
          .option('--expected-version <number>', 'fail unless this version is current', parseWholeNumber),
    },
    async (context, companyId, sourceId, options) => {
      const file = await readJsonFile(options.file, NewSource)
      const { source: before } = await showSource(context, 'operator', companyId, sourceId)
      const { shapeVersion, revision } = before
      if ((options.expectedVersion ?? shapeVersion) !== shapeVersion) {
        throw conflict(`Version ${shapeVersion} was saved meanwhile.`, 'expected_version')
      }
      // What the file omits stays: a change to the push channel would end the senders' signing secrets.
      const { channel = before.channel, format = before.format } = file
      const input = { ...readNewSource(file), channel, format }
      const saved = await saveSource(context, 'operator', companyId, sourceId, revision, input)
      const { json, text } = toAnswer(saved)
      return {
        json: { ...(json as object), rebuilds: saved.rebuilds },
        text: text + (saved.rebuilds ? '\nThe stored deliveries are being rebuilt.' : ''),
      }
    },
  )
}

function addStateCommands(parent: Command): void {
  const add = (
    name: string,
    description: string,
    change: (
      context: CompanyCommandContext,
      actor: 'operator',
      companyId: string,
      sourceId: string,
    ) => Promise<unknown>,
  ): void =>
    addSourceCommand(parent, { name, description }, async (context, companyId, sourceId) => {
      await change(context, 'operator', companyId, sourceId)
      return showState(context, companyId, sourceId)
    })
  add('pause', 'refuse new deliveries', pauseSource)
  add('resume', 'accept deliveries again', resumeSource)
  add('rebuild', 'rebuild all stored deliveries', requestRebuild)
}

/** `source add`, `save`, `list`, `show`, `pause`, `resume`, `rebuild`, `rotate-secret` */
export function addSourceCommands(program: Command): void {
  const source = program.command('source').description('manage the systems that send numbers')
  addCompanyCommand<{ file: string }>(
    source,
    {
      name: 'add',
      description: 'create a source from a file',
      example: '--file declaration.json',
      options: (command) =>
        command.requiredOption(
          '--file <path>',
          'JSON with name, system_kind, fields, event_time, metrics, delivers; "-": standard input',
        ),
    },
    async (context, { companyId }, { file }) => {
      const input = readNewSource(await readJsonFile(file, NewSource))
      return toAnswer(await createSource(context, 'operator', companyId, input))
    },
  )
  addSaveCommand(source)
  addCompanyCommand(
    source,
    { name: 'list', description: 'list the sources of a company' },
    async (context, { companyId }) => {
      const listed = await everyPage((page) => listSources(context, 'operator', companyId, page))
      const sources = listed.map(sourceAnswer)
      return { json: { sources }, text: formatTable(listColumns, sources, 'The company has no sources yet.') }
    },
  )
  addSourceCommand(
    source,
    { name: 'show', description: 'show a source and its latest shape versions' },
    async (context, companyId, sourceId) => {
      const shown = await showSource(context, 'operator', companyId, sourceId)
      const json = {
        source: sourceAnswer(shown.source),
        versions: shown.versions.items.map(shapeVersionAnswer),
      }
      return { json, text: `${formatFields(json.source)}\n\n${versionsText(json.versions)}` }
    },
  )
  addStateCommands(source)
  addSourceCommand(
    source,
    {
      name: 'rotate-secret',
      description: 'issue a new signing secret for a webhook source; the old one remains valid for 24 hours',
    },
    async (context, companyId, sourceId) =>
      toAnswer(await rotateSigningSecret(context, 'operator', companyId, sourceId)),
  )
}
