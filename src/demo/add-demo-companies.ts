import { addCompany } from '../companies/add-company.ts'
import { addMember } from '../memberships/add-member.ts'
import type { Company } from '../companies/company.ts'
import { findCompany } from '../companies/find-company.ts'
import { addDemoConnection } from '../connections/add-demo-connection.ts'
import type { Context } from '../service/context.ts'
import { ApiError } from '../http/errors.ts'
import { createSource } from '../sources/create-source.ts'
import { listSources } from '../sources/list-sources.ts'
import type { Source } from '../sources/source.ts'
import { demoCompanies, demoOwner, type DemoCompany, type DemoSource } from './demo-companies.ts'

export interface AddedSource {
  company: Company
  source: Source
  demo: DemoSource
}

async function findOrUndefined(context: Context, orgnr: string): Promise<Company | undefined> {
  try {
    return await findCompany(context, orgnr)
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return undefined
    throw error
  }
}

async function addDemoCompany(context: Context, demo: DemoCompany): Promise<AddedSource[]> {
  let company = await findOrUndefined(context, demo.orgnr)
  if (company === undefined) {
    company = await addCompany(context, demo)
    await addMember(context, 'operator', company.companyId, { ...demoOwner, role: 'owner' })
  }
  const { companyId } = company
  // The demo's few sources come first, in the order in which they were made.
  const present = (await listSources(context, 'operator', companyId)).items
  const added: AddedSource[] = []
  for (const wanted of demo.sources) {
    const source =
      present.find((one) => one.name === wanted.name) ??
      (await createSource(context, 'operator', companyId, wanted)).source
    added.push({ company, source, demo: wanted })
  }
  return added
}

/** Adds what the demo has and the database lacks: companies, their owner, their sources, the demo connection. */
export async function addDemoCompanies(context: Context): Promise<AddedSource[]> {
  const added: AddedSource[] = []
  for (const demo of demoCompanies) added.push(...(await addDemoCompany(context, demo)))
  const { company, source } = added[0]!
  const { demoCredential } = context.config
  if (demoCredential !== undefined) {
    await addDemoConnection(context, company.companyId, source.sourceId, demoCredential)
  }
  return added
}
