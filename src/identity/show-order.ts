import { randomBytes } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { invalidArgument } from '../http/errors.ts'
import { isReturnablePage, returnPage } from '../http/page-addresses.ts'
import { hashSecret } from '../keys/secrets.ts'
import type { Context } from '../service/context.ts'
import { preferredLanguage } from '../http/preferred-language.ts'
import type { Device, OrderOrigin, Presentation } from './identity-provider.ts'
import type { BegunOrder } from './order.ts'
import type { SigningOrigin } from './signing.ts'

/** As the pages say it. */
interface OriginFields {
  return_to?: string | null
  device?: Device
}

/** Bytes of the nonce that comes back from the app with the address of the return page. */
const returnNonceBytes = 32

/** Where an order of the pages comes from. @throws 400 where `return_to` is not the address of a page */
export function orderOrigin(
  context: Pick<Context, 'config'>,
  request: FastifyRequest,
  { return_to: returnTo, device = 'other' }: OriginFields,
): OrderOrigin {
  if (typeof returnTo === 'string' && !isReturnablePage(returnTo)) {
    throw invalidArgument(
      'This is not the address of a page here: name one as a path without fragment.',
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

/** Where a signature of the pages is begun. */
export function signingOrigin(
  context: Pick<Context, 'config'>,
  request: FastifyRequest,
  body: OriginFields,
): SigningOrigin {
  return { ...orderOrigin(context, request, body), sessionHash: request.session.sessionHash }
}

/** As the pages' API says it. */
function showPresentation({ openUrl, launchUrl, qrText }: Presentation) {
  return {
    ...(openUrl === undefined ? {} : { open_url: openUrl }),
    ...(launchUrl === undefined ? {} : { launch_url: launchUrl }),
    ...(qrText === undefined ? {} : { qr_text: qrText }),
  }
}

/** As the pages' API says it. */
export function showPending({
  state,
  hint,
  presentation,
  visibleText,
}: {
  state: 'pending'
  hint: string
  presentation: Presentation
  visibleText?: string
}) {
  return {
    state,
    hint,
    presentation: showPresentation(presentation),
    ...(visibleText === undefined ? {} : { visible_text: visibleText }),
  }
}

/** As the pages' API says it. */
export function showBegunOrder(
  context: Pick<Context, 'identity'>,
  begun: BegunOrder & { visibleText?: string },
) {
  return {
    order_id: begun.orderId,
    expires_at: begun.answerBy.toISOString(),
    demo: context.identity.demo,
    presentation: showPresentation(begun.presentation),
    ...(begun.visibleText === undefined ? {} : { visible_text: begun.visibleText }),
  }
}
