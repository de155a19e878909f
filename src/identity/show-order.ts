import type { FastifyRequest } from 'fastify'
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

/** Where an order of the pages comes from. */
export function orderOrigin(
  context: Pick<Context, 'config'>,
  request: FastifyRequest,
  { return_to: returnTo, device = 'other' }: OriginFields,
): OrderOrigin {
  return {
    endUserIp: request.ip,
    returnUrl: `${context.config.baseUrl}${returnTo ?? '/'}`,
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
