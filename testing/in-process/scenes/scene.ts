import type { Role } from '../../../src/people/access/role.ts'
import type { Source } from '../../../src/company/sources/source.ts'
import {
  seedApp,
  seedAppConnection,
  seedAppToken,
  seedCompany,
  seedConnection,
  seedMember,
  seedSource,
  type SeedContext,
  type SeededApp,
  type SeededAppConnection,
  type SeededCompany,
  type SeededConnection,
  type SeededMember,
} from '../seed.ts'

/** What there is besides a company and its owner; `{}` is one as most tests need it. */
export interface SceneOptions {
  company?: Parameters<typeof seedCompany>[1]
  /** A further member of each role. */
  members?: readonly Exclude<Role, 'owner'>[]
  source?: Parameters<typeof seedSource>[2]
  /** Made and signed by the owner; bound to the source, where there is one. */
  connection?: Omit<Parameters<typeof seedConnection>[1], 'company' | 'owner' | 'source'>
  /** An app that the owner allows this company, with a token. */
  app?: Omit<Parameters<typeof seedAppConnection>[1], 'app' | 'member' | 'companyIds'>
}

interface SceneParts {
  source: { source: Source }
  connection: { connection: SeededConnection }
  app: { app: SeededApp; appConnection: SeededAppConnection; token: string }
}

type PartsOf<Options, Part> = Part extends keyof SceneParts & keyof Options ? SceneParts[Part] : never
type Together<Union> = (Union extends unknown ? (each: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never

export type Scene<Options extends SceneOptions> = SeededCompany &
  Record<NonNullable<Options['members']>[number], SeededMember> &
  Together<PartsOf<Options, keyof Options> | object>

/**
 * What a test begins with: a company with its owner, and the parts named in the options, all made as a user makes them.
 *
 * ```ts
 * const { company, owner, reader, source, connection } = await seedScene(context, {
 *   members: ['reader'],
 *   source: { delivers: 'statements' },
 *   connection: {},
 * })
 * ```
 */
export async function seedScene<const Options extends SceneOptions = object>(
  context: SeedContext,
  options: Options = {} as Options,
): Promise<Scene<Options>> {
  const { company, owner } = await seedCompany(context, options.company)
  const scene: Record<string, unknown> = { company, owner }
  for (const role of options.members ?? [])
    scene[role] = await seedMember(context, company.companyId, { role })
  const source = options.source && (await seedSource(context, company.companyId, options.source))
  if (source) scene['source'] = source
  if (options.connection) {
    scene['connection'] = await seedConnection(context, {
      ...options.connection,
      company,
      owner,
      ...(source && { source }),
    })
  }
  if (options.app) {
    const app = await seedApp(context)
    const companyIds = [company.companyId]
    const appConnection = await seedAppConnection(context, { ...options.app, app, member: owner, companyIds })
    const { accessToken: token } = await seedAppToken(context, appConnection)
    Object.assign(scene, { app, appConnection, token })
  }
  return scene as Scene<Options>
}
