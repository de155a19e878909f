import type { DirectoryContext } from '../../context.ts'
import type { WithIdentity } from '../../people/identity/identity-provider.ts'
import { route, type App } from '../../platform/http/contract.ts'
import { toPageRequest } from '../../platform/http/requests/pagination-query.ts'
import { guardSession } from '../../people/sessions/guard-session.ts'
import { toBegunOrderAnswer, toPendingAnswer } from '../../people/identity/order-answer.ts'
import { readSigningOrigin } from '../../people/identity/order-origin.ts'
import { connectionAnswer } from './connection-answer.ts'
import {
  cancelSigningConnectionContract,
  collectConnectionSignatureContract,
  listConnectionsContract,
  createConnectionContract,
  releaseConnectionContract,
  revokeConnectionContract,
  rotateConnectionContract,
  showConnectionContract,
  startSigningConnectionContract,
} from './contract.ts'
import { listConnections, showConnection } from './list-connections.ts'
import { createConnection } from './create-connection.ts'
import { releaseConnection } from './release-connection.ts'
import { revokeConnection } from './revoke-connection.ts'
import { rotateConnection } from './rotate-connection.ts'
import {
  cancelSigningConnection,
  collectConnectionSignature,
  startSigningConnection,
} from './sign-connection.ts'

const collection = '/console/companies/:company_id/connections'
const single = `${collection}/:connection_id` as const

/** Service connections, for the pages. */
export async function registerConnectionRoutes(
  app: App,
  context: DirectoryContext & WithIdentity,
): Promise<void> {
  await guardSession(app, context)
  registerConnectionMakingRoutes(app, context)
  registerSigningRoutes(app, context)
  registerConnectionChangeRoutes(app, context)
}

function registerConnectionMakingRoutes(app: App, context: DirectoryContext & WithIdentity): void {
  app.get(collection, route(listConnectionsContract), async ({ session, params, query }) => {
    const page = await listConnections(context, session, params.company_id, toPageRequest(query), {
      ...(query.state === undefined ? {} : { state: query.state }),
      ...(query.source_id === undefined ? {} : { sourceId: query.source_id }),
      ...(query.created_by === undefined ? {} : { createdBy: query.created_by }),
    })
    return { connections: page.items.map(connectionAnswer), next_cursor: page.nextCursor }
  })

  app.post(collection, route(createConnectionContract), async ({ session, params, body }, reply) => {
    const { connection, credential } = await createConnection(context, session.memberId, params.company_id, {
      name: body.name,
      sourceId: body.source_id,
      permissions: body.permissions,
      kind: body.kind,
      credentialKind: body.credential_kind,
      furtherCompanyIds: body.further_company_ids ?? [],
    })
    return reply.code(201).send({ connection: connectionAnswer(connection), credential })
  })

  app.get(single, route(showConnectionContract), async ({ session, params }) =>
    connectionAnswer(await showConnection(context, session, params.company_id, params.connection_id)),
  )
}

function registerSigningRoutes(app: App, context: DirectoryContext & WithIdentity): void {
  app.post(`${single}/sign`, route(startSigningConnectionContract), async (request) => {
    const { session, params, body } = request
    const begun = await startSigningConnection(
      context,
      session.memberId,
      params.company_id,
      params.connection_id,
      body.language ?? 'en',
      readSigningOrigin(context, request, body),
    )
    return toBegunOrderAnswer(context, begun)
  })

  app.post(
    `${single}/sign/:order_id/collect`,
    route(collectConnectionSignatureContract),
    async ({ session, params }) => {
      const progress = await collectConnectionSignature(
        context,
        session.memberId,
        params.company_id,
        params.connection_id,
        params.order_id,
      )
      if (progress.state === 'pending') return toPendingAnswer(progress)
      if (progress.state !== 'complete') return progress
      const { connection, secret } = progress.result
      return { state: progress.state, connection: connectionAnswer(connection), secret }
    },
  )

  app.post(
    `${single}/sign/:order_id/cancel`,
    route(cancelSigningConnectionContract),
    async ({ session, params }, reply) => {
      await cancelSigningConnection(
        context,
        session.memberId,
        params.company_id,
        params.connection_id,
        params.order_id,
      )
      return reply.code(204).send()
    },
  )
}

function registerConnectionChangeRoutes(app: App, context: DirectoryContext & WithIdentity): void {
  app.post(`${single}/rotate`, route(rotateConnectionContract), async ({ session, params, body }) => {
    const { connection, credential } = await rotateConnection(
      context,
      session,
      params.company_id,
      params.connection_id,
      body.overlap_hours,
    )
    return { connection: connectionAnswer(connection), credential }
  })

  app.post(`${single}/revoke`, route(revokeConnectionContract), async ({ session, params }) =>
    connectionAnswer(await revokeConnection(context, session, params.company_id, params.connection_id)),
  )

  app.post(`${single}/release`, route(releaseConnectionContract), async ({ session, params }, reply) => {
    await releaseConnection(context, session, params.company_id, params.connection_id)
    return reply.code(204).send()
  })
}
