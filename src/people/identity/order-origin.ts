import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { DirectoryContext } from '../../context.ts'
import { invalidArgument } from '../../platform/http/errors/errors.ts'
import { preferredLanguage } from '../../platform/http/requests/preferred-language.ts'
import { hashSecret } from '../../platform/keys/secrets.ts'
import { returnPage } from '../../platform/web-app/page-table.ts'
import type { Device, OrderOrigin } from './identity-provider.ts'
import type { SigningOrigin } from './signing.ts'

/** `orderOriginFields` of the contracts. */
interface OriginFields {
  return_to?: string | null
  device?: Device
}

/** Bytes of the nonce that the app returns with the address of the return page. */
const returnNonceBytes = 32

/** Where an order of the pages comes from. @throws 400 if `return_to` is not the address of a page */
export function readOrderOrigin(
  context: Pick<DirectoryContext, 'config'>,
  request: FastifyRequest,
  { return_to: returnTo, device = 'other' }: OriginFields,
): OrderOrigin {
  if (typeof returnTo === 'string' && !request.server.pages.isReturnable(returnTo)) {
    throw invalidArgument(
      'This is not the address of a page here: send a path without fragment.',
      'return_to',
    )
  }
  const nonce = randomBytes(returnNonceBytes).toString('base64url')
  return {
    endUserIp: request.ip,
    returnTo: returnTo ?? '/',
    returnUrl: `${context.config.baseUrl}${returnPage}#nonce=${nonce}`,
    returnHash: hashSecret(nonce),
    keepsPage: returnTo === null,
    device,
    userAgent: request.headers['user-agent'] ?? '',
    language: preferredLanguage(request.headers['accept-language']),
  }
}

/** Where a signature of the pages comes from. */
export function readSigningOrigin(
  context: Pick<DirectoryContext, 'config'>,
  request: FastifyRequest,
  body: OriginFields,
): SigningOrigin {
  return { ...readOrderOrigin(context, request, body), sessionHash: request.session.sessionHash }
}
