import type { Service } from './start-service.ts'

/** The personal number of the company's owner, which no person has. */
export const ownerNumber = '191212121212'

export interface Company {
  companyId: string
  orgnr: string
}

export interface CompanyOptions {
  orgnr?: string
  timeZone?: string
}

/** Creates a company with one owner by the operator's commands. */
export async function createCompany(
  command: Service['command'],
  { orgnr = '559999-0016', timeZone = 'Europe/Stockholm' }: CompanyOptions = {},
): Promise<Company> {
  const company = await command('company add', {
    orgnr,
    name: 'Ekeby Handel AB',
    'time-zone': timeZone,
  })
  await command('member add', { company: orgnr, 'personal-number': ownerNumber, role: 'owner' })
  return { companyId: company.company_id, orgnr }
}

/** A company with one owner: the one of the cluster's template, or a new one if the options differ from it. */
export async function provideCompany(service: Service, options: CompanyOptions = {}): Promise<Company> {
  const { company, command } = service
  const isAnother = options.timeZone !== undefined || (options.orgnr ?? company?.orgnr) !== company?.orgnr
  return company === undefined || isAnother ? createCompany(command, options) : company
}

export interface Connected {
  sourceId: string
  connectionId: string
  /** A static credential, signed. */
  credential: string
  /** Of a webhook source. */
  signingSecret: string | undefined
}

/** Creates a source from the file of a declaration, and a signed connection that reads it and, on a push source, pushes. */
export async function connectSource(
  service: Service,
  company: Company,
  declarationFile: string,
  kind: 'production' | 'sandbox' = 'production',
): Promise<Connected> {
  const of = { company: company.orgnr }
  const source = await service.command('source add', { ...of, file: declarationFile })
  const { connection, credential } = await service.command('connection add', {
    ...of,
    creator: ownerNumber,
    source: source.source_id,
    kind,
    credential: 'static',
  })
  await service.command('connection sign', {
    ...of,
    connection: connection.connection_id,
    creator: ownerNumber,
  })
  return {
    sourceId: source.source_id,
    connectionId: connection.connection_id,
    credential,
    signingSecret: source.signing_secret,
  }
}
