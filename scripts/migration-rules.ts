/**
 * What a migration may not do, because it stops or breaks the processes that run meanwhile, or because Citus cannot do it.
 * CONTRIBUTING.md, "Changing the schema", has the ways that are left.
 */
import { parse } from 'libpg-query'
import { readMigration } from '../src/platform/database/migrations/migration-files.ts'

/** A node of the server's parse tree: one of hundreds of kinds, of which these rules know a few members. */
// oxlint-disable-next-line typescript/no-explicit-any -- as said
type Node = any

/** One command of a file: for `alter table`, one of its actions. */
interface Command {
  /** Such as `IndexStmt`; of `alter table` the action, such as `AT_AddColumn`. */
  kind: string
  node: Node
  table: string | undefined
  /** Whether its table was there before this file. */
  isOnExisting: boolean
}

interface Constraint {
  /** Such as `CONSTR_CHECK`. */
  contype: string
  conname?: string
  skip_validation?: boolean
  raw_expr?: Node
}

/** What is known of a file, and of those before it. */
interface Migration {
  isContract: boolean
  isConcurrent: boolean
  /** As `migrate` sends them. */
  texts: number
  /** As the server reads them. */
  parsed: number
  commands: Command[]
  /** Columns with a validated check that they are not null, as `table.column`. */
  checked: ReadonlySet<string>
}

interface Rule {
  name: string
  sentence: string
  isBroken: (command: Command, migration: Migration) => boolean
}

function isConcurrent({ kind, node }: Command): boolean {
  return kind === 'AT_ValidateConstraint' || node.concurrent === true
}

/** Of a new column. */
function getColumnConstraints({ kind, node }: Command): Constraint[] {
  const constraints: Node[] = kind === 'AT_AddColumn' ? (node.def.ColumnDef.constraints ?? []) : []
  return constraints.map(({ Constraint: constraint }) => constraint)
}

/** All that an action adds to its table, but for defaults and `not null`. */
function getConstraints(command: Command): Constraint[] {
  const added: Constraint[] = command.kind === 'AT_AddConstraint' ? [command.node.def.Constraint] : []
  return [...added, ...getColumnConstraints(command)].filter(({ contype }) =>
    /^CONSTR_(?:CHECK|FOREIGN|PRIMARY|UNIQUE|EXCLUSION)$/.test(contype),
  )
}

function hasColumnConstraint(command: Command, ...kinds: string[]): boolean {
  return getColumnConstraints(command).some(({ contype }) => kinds.includes(contype))
}

/** The names of all functions in an expression. */
function listFunctions(expression: unknown): string[] {
  const names: string[] = []
  JSON.stringify(expression, (key, value: unknown) => {
    if (key === 'funcname') names.push(getLastName(value as Node[]))
    return value
  })
  return names
}

/** Evaluated once for the whole command. */
const stableFunctions = new Set(['now', 'statement_timestamp', 'transaction_timestamp'])

/** Of a name such as `pg_catalog.now`. */
function getLastName(names: Node[] | undefined): string {
  return names?.at(-1).String.sval ?? ''
}

export const rules: readonly Rule[] = [
  {
    name: 'no-drop-in-expand',
    sentence: 'An expand drops nothing: older processes still use it. A contract may.',
    isBroken: ({ kind, node, isOnExisting }, { isContract }) =>
      !isContract &&
      ((/^(?:DropStmt|AT_Drop\w+)$/.test(kind) && isOnExisting) ||
        /^(?:DropOwnedStmt|TruncateStmt)$/.test(kind) ||
        (kind === 'AT_ColumnDefault' && isOnExisting && node.def === undefined)),
  },
  {
    name: 'no-rename-in-expand',
    sentence:
      'An expand renames and moves nothing: older processes know the name. Add the new one, drop the old one later.',
    isBroken: ({ kind }, { isContract }) =>
      !isContract && /^(?:RenameStmt|AlterObjectSchemaStmt)$/.test(kind),
  },
  {
    name: 'not-null-after-check',
    sentence:
      'A column becomes "not null" only with an earlier validated check that it is: otherwise every row is read under the lock.',
    isBroken: ({ kind, node, table, isOnExisting }, { checked }) =>
      kind === 'AT_SetNotNull' && isOnExisting && !checked.has(`${table}.${node.name}`),
  },
  {
    name: 'new-column-nullable',
    sentence:
      'A new column of an existing table may be null or has a default: older processes do not write it.',
    isBroken: (command) =>
      command.isOnExisting &&
      hasColumnConstraint(command, 'CONSTR_NOTNULL') &&
      !hasColumnConstraint(command, 'CONSTR_DEFAULT'),
  },
  {
    name: 'index-concurrently',
    sentence: 'An index of an existing table is created concurrently, in a file of its own.',
    isBroken: ({ kind, node, isOnExisting }) =>
      kind === 'IndexStmt' && isOnExisting && node.concurrent !== true,
  },
  {
    name: 'constant-default',
    sentence:
      'The default of a new column of an existing table is a constant or now(): otherwise every row is rewritten.',
    isBroken: (command) =>
      command.isOnExisting &&
      getColumnConstraints(command).some(
        ({ contype, raw_expr: expression }) =>
          contype === 'CONSTR_DEFAULT' &&
          listFunctions(expression).some((name) => !stableFunctions.has(name)),
      ),
  },
  {
    name: 'no-rewrite',
    sentence:
      'An existing table gets no generated, identity or serial column and no other storage: that rewrites every row.',
    isBroken: (command) =>
      command.isOnExisting &&
      (/^AT_(?:SetLogged|SetUnLogged|SetTableSpace|SetAccessMethod|AddIdentity|SetExpression)$/.test(
        command.kind,
      ) ||
        hasColumnConstraint(command, 'CONSTR_IDENTITY', 'CONSTR_GENERATED') ||
        (command.kind === 'AT_AddColumn' &&
          /serial\d?$/.test(getLastName(command.node.def.ColumnDef.typeName.names)))),
  },
  {
    name: 'no-changed-type',
    sentence: 'A column keeps its type: add another one, and write both until older processes are gone.',
    isBroken: ({ kind, isOnExisting }) => kind === 'AT_AlterColumnType' && isOnExisting,
  },
  {
    name: 'not-valid-first',
    sentence:
      'A check or foreign key of an existing table is added "not valid", as a command of its own, and validated by a later file.',
    isBroken: (command) =>
      command.isOnExisting &&
      getConstraints(command).some(
        ({ contype, skip_validation: isNotValid }) =>
          /^CONSTR_(?:CHECK|FOREIGN)$/.test(contype) && isNotValid !== true,
      ),
  },
  {
    name: 'unique-by-index',
    sentence:
      'An existing table gets a unique index, created concurrently: a unique constraint reads every row under the lock.',
    isBroken: (command) =>
      command.isOnExisting &&
      getConstraints(command).some(({ contype }) => /^CONSTR_(?:PRIMARY|UNIQUE|EXCLUSION)$/.test(contype)),
  },
  {
    name: 'named-constraint',
    sentence:
      'A constraint that is added to a table has a name: the nodes of Citus would each choose their own.',
    isBroken: (command) => getConstraints(command).some(({ conname }) => conname === undefined),
  },
  {
    name: 'concurrent-alone',
    sentence:
      '"create index concurrently", "drop index concurrently if exists" and "validate constraint" are not in a file with other commands: they run outside a transaction.',
    isBroken: (command, migration) => isConcurrent(command) !== migration.isConcurrent,
  },
  {
    name: 'no-transaction',
    sentence: 'A migration neither begins nor ends a transaction: each file is one.',
    isBroken: ({ kind }) => kind === 'TransactionStmt',
  },
  {
    name: 'no-long-lock',
    sentence:
      'A migration locks no table as a whole for longer than a moment: no lock, cluster, reindex or vacuum.',
    isBroken: ({ kind }) =>
      /^(?:LockStmt|ClusterStmt|ReindexStmt|VacuumStmt|RepackStmt|RefreshMatViewStmt)$/.test(kind),
  },
  {
    name: 'one-action',
    sentence: 'An "alter table" has one action: Citus refuses others in the same command.',
    isBroken: ({ kind }) => kind === 'several actions',
  },
  {
    name: 'readable-commands',
    sentence: 'A migration has plain commands: what a "do" block or a procedure does cannot be checked.',
    isBroken: ({ kind }) => kind === 'DoStmt' || kind === 'CallStmt',
  },
  {
    name: 'citus-tables',
    sentence:
      'Tables have no triggers, rules, inheritance or foreign servers: Citus does not distribute them.',
    isBroken: ({ kind, node }) =>
      /^(?:CreateTrigStmt|RuleStmt|CreateForeignTableStmt|AT_AddInherit)$/.test(kind) ||
      (kind === 'CreateStmt' && node.inhRelations !== undefined),
  },
  {
    name: 'one-command-a-line',
    sentence:
      'Each command ends with a semicolon at the end of a line, and nothing else does: commands are sent one by one.',
    isBroken: (_command, { texts, parsed }) => texts !== parsed,
  },
]

/** The actions of an `alter table`, and every other command as it is. */
function toCommands(statement: Node, created: ReadonlySet<string>): Command[] {
  const [kind, node] = Object.entries<Node>(statement)[0]!
  const table: string | undefined = node.relation?.relname
  const dropped = ((kind === 'DropStmt' && node.objects) || []).map((each: Node) =>
    getLastName(each.List?.items),
  )
  const isOnExisting =
    kind === 'DropStmt'
      ? dropped.some((name: string) => !created.has(name))
      : table !== undefined && !created.has(table)
  if (kind !== 'AlterTableStmt') return [{ kind, node, table, isOnExisting }]
  const actions: Command[] = node.cmds.map(({ AlterTableCmd: action }: Node) => ({
    kind: action.subtype,
    node: action,
    table,
    isOnExisting,
  }))
  return actions.length > 1 ? [...actions, { kind: 'several actions', node, table, isOnExisting }] : actions
}

/** The column that a check demands to be not null, if that is all it does. */
function getCheckedColumn({ contype, raw_expr: expression }: Constraint): string | undefined {
  const demanded = expression?.NullTest
  if (contype !== 'CONSTR_CHECK' || demanded?.nulltesttype !== 'IS_NOT_NULL') return undefined
  return getLastName(demanded.arg.ColumnRef?.fields)
}

/**
 * Checks the migrations of one schema.
 *
 * @param files the text of all of them, in order
 * @param from the index of the first one that is checked; those before it have been released
 * @returns for each broken rule the index of the file, and a sentence
 */
export async function checkMigrations(
  files: readonly string[],
  from: number,
): Promise<{ index: number; rule: string; sentence: string }[]> {
  const found: { index: number; rule: string; sentence: string }[] = []
  const notNullChecks = new Map<string, string>()
  const checked = new Set<string>()
  for (const [index, sql] of files.entries()) {
    const { commands: texts, contract, isConcurrent: isFileConcurrent } = readMigration(sql)
    const parsed: Node[] = ((await parse(sql)).stmts ?? []).map(({ stmt }) => stmt)
    const created = new Set<string>(parsed.flatMap((each) => each.CreateStmt?.relation.relname ?? []))
    const migration: Migration = {
      isContract: contract !== null,
      isConcurrent: isFileConcurrent,
      texts: texts.length,
      parsed: parsed.length,
      commands: parsed.flatMap((each) => toCommands(each, created)),
      checked: new Set(checked),
    }
    for (const command of migration.commands) {
      for (const constraint of getConstraints(command)) {
        const column = getCheckedColumn(constraint)
        if (column !== undefined) notNullChecks.set(constraint.conname ?? '', `${command.table}.${column}`)
      }
      const validated = command.kind === 'AT_ValidateConstraint' && notNullChecks.get(command.node.name)
      if (validated) checked.add(validated)
    }
    if (index < from) continue
    for (const { name, sentence, isBroken } of rules)
      if (migration.commands.some((command) => isBroken(command, migration)))
        found.push({ index, rule: name, sentence })
  }
  return found
}
