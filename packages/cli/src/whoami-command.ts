import type { Command } from 'commander'
import { NumeraError } from 'numera-client'
import { tokenMinutesLeft } from './app-tokens.ts'
import { findPermissions } from './permissions.ts'
import { addScope, given, onRun, readPatienceMs, type ScopeOptions, type Session } from './session.ts'
import { formatFields, formatTable, toSnakeCase } from './table.ts'

export function defineWhoami(command: Command, session: Session): void {
  addScope(command)
  onRun<ScopeOptions>(command, session, async (options) => {
    const { numera, name, profile } = await session.connect(options, { giveUpAfterMs: readPatienceMs })
    const scope = session.toScope(options)
    const companies = await numera.companies(scope).catch((error: unknown) => {
      // Connections of one company have no list.
      if (error instanceof NumeraError && error.code === 'permission_denied') return []
      throw error
    })
    const sources = await Array.fromAsync(numera.sources(scope))
    const first = { ...given({ sourceId: sources[0]?.sourceId }), ...scope }
    const { permissions, kind } = await findPermissions(numera, first)
    const about = {
      profile: name,
      url: profile.url,
      login: profile.kind,
      permissions,
      kind: kind ?? null,
      // A connection's token is obtained for each command.
      ...(profile.kind === 'app' && { tokenMinutesLeft: await tokenMinutesLeft(session.io, name, profile) }),
    }
    const tables = [
      formatFields(toSnakeCase(about) as object),
      companies.length > 0 && formatTable(['orgnr', 'name', 'timeZone'], companies, ''),
      formatTable(
        ['sourceId', 'name', 'delivers', 'shapeVersion', 'paused'],
        sources,
        'It may use no source.',
      ),
    ]
    session.print(toSnakeCase({ ...about, companies, sources }), tables.filter(Boolean).join('\n\n'))
  })
}
