import type { Service } from './service.ts'

/** The owner of the tests' company: a number that belongs to nobody. */
export const ownerNumber = '191212121212'

export interface Company {
  companyId: string
  orgnr: string
}

export interface CompanyOptions {
  orgnr?: string
  timeZone?: string
}

/** Makes a company with one owner by the operator's commands. */
export const addCompany = async (
  command: Service['command'],
  { orgnr = '559999-0016', timeZone = 'Europe/Stockholm' }: CompanyOptions = {},
): Promise<Company> => {
  const company = await command('company add', {
    orgnr,
    name: 'Ekeby Handel AB',
    'time-zone': timeZone,
  })
  await command('member add', { company: orgnr, 'personal-number': ownerNumber, role: 'owner' })
  return { companyId: company.company_id, orgnr }
}

/** A company with one owner: the one that the database was furnished with, unless another is asked for. */
export const makeCompany = async (service: Service, options: CompanyOptions = {}): Promise<Company> => {
  const { company, command } = service
  const isAnother = options.timeZone !== undefined || (options.orgnr ?? company?.orgnr) !== company?.orgnr
  return company === undefined || isAnother ? addCompany(command, options) : company
}

export interface Connected {
  sourceId: string
  connectionId: string
  /** A static credential, signed. */
  credential: string
  /** Of a webhook source. */
  signingSecret: string | undefined
}

/** Makes a source from a declaration's file and a signed connection that reads it, and pushes to it where it takes pushes. */
export const connectSource = async (
  service: Service,
  company: Company,
  declarationFile: string,
  kind: 'production' | 'sandbox' = 'production',
): Promise<Connected> => {
  const of = { company: company.orgnr }
  const source = await service.command('source add', { ...of, file: declarationFile })
  const { connection, credential } = await service.command('connection add', {
    ...of,
    maker: ownerNumber,
    source: source.source_id,
    kind,
    credential: 'static',
  })
  await service.command('connection sign', {
    ...of,
    connection: connection.connection_id,
    maker: ownerNumber,
  })
  return {
    sourceId: source.source_id,
    connectionId: connection.connection_id,
    credential,
    signingSecret: source.signing_secret,
  }
}
