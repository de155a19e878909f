import type { FastifyReply, FastifyRequest } from 'fastify'
import { Compile } from 'typebox/compile'
import type { Context } from '../../service/context.ts'
import { checkDisplayText } from '../../http/check-display-text.ts'
import { readRequestBody } from '../../http/body/parse-bodies.ts'
import { preferredLanguage } from '../../http/preferred-language.ts'
import { route, type App } from '../../http/contract.ts'
import { ApiError, invalidArgument, notFound } from '../../http/errors.ts'
import { opensPage } from '../../http/web-app-routes.ts'
import { answerDemoOrderContract, DemoAnswer, showDemoOrderContract } from '../contract.ts'
import {
  demoAnsweredPage,
  demoOrderPage,
  demoOverPage,
  demoPageContentPolicy,
  type WrongAnswer,
} from './demo-page.ts'
import { answerDemoIdentity, findDemoOrder } from './demo-provider.ts'
import type { IdentifiedPerson } from '../identity-provider.ts'
import { parsePersonalNumber } from '../../values/personal-number.ts'

const answerPattern = Compile(DemoAnswer)

/** Several times the longest answer that makes sense. A larger form is 413. */
export const demoFormBytesMax = 16_384

const formType = 'application/x-www-form-urlencoded'

function asPage(reply: FastifyReply): FastifyReply {
  return reply.header('content-security-policy', demoPageContentPolicy).type('text/html; charset=utf-8')
}

/** The page of the demo's electronic identity, where the deployment has it; nothing otherwise. */
export async function registerDemoIdentityRoutes(app: App, context: Context): Promise<void> {
  if (!context.identity.demo) return
  app.addContentTypeParser(formType, async (request: FastifyRequest) => {
    const body = await readRequestBody(app, request, demoFormBytesMax)
    return Object.fromEntries(new URLSearchParams(body.toString()))
  })

  const personOf = (answer: { personal_number?: string; name?: string }): IdentifiedPerson => {
    const personalNumber = parsePersonalNumber(answer.personal_number ?? '', new Date(context.clock.now()))
    if (personalNumber === undefined) throw invalidArgument('It is no personal number.', 'personal_number')
    return { personalNumber, name: checkDisplayText(answer.name ?? '', 'name') }
  }

  app.get('/demo-identity/orders/:reference', route(showDemoOrderContract), async (request, reply) => {
    const language = preferredLanguage(request.headers['accept-language'])
    const order = await findDemoOrder(context, request.params.reference)
    if (order === undefined || !order.open) {
      if (opensPage(request)) return asPage(reply).code(404).send(demoOverPage(language))
      throw notFound()
    }
    return asPage(reply).send(demoOrderPage(language, order.visibleText))
  })

  app.post('/demo-identity/orders/:reference', route(answerDemoOrderContract), async (request, reply) => {
    const { reference } = request.params
    const fromPage = request.headers['content-type']?.startsWith(formType) === true
    const { body } = request
    if (!answerPattern.Check(body)) throw invalidArgument('The answer is approve or refuse.', 'answer')
    const approved = body.answer === 'approve'
    const language = preferredLanguage(request.headers['accept-language'])
    let person: IdentifiedPerson | undefined
    try {
      person = approved ? personOf(body) : undefined
    } catch (error) {
      if (!(error instanceof ApiError) || !fromPage) throw error
      const order = await findDemoOrder(context, reference)
      if (order?.open !== true) return asPage(reply).code(404).send(demoOverPage(language))
      const wrong: WrongAnswer = {
        personalNumber: body.personal_number ?? '',
        name: body.name ?? '',
        field: error.field === 'name' ? 'name' : 'personal_number',
        message: error.message,
      }
      return asPage(reply)
        .code(400)
        .send(demoOrderPage(language, order.visibleText, wrong))
    }
    if (!(await answerDemoIdentity(context, reference, person))) {
      if (fromPage) return asPage(reply).code(404).send(demoOverPage(language))
      throw notFound()
    }
    return fromPage ? asPage(reply).send(demoAnsweredPage(language, approved)) : reply.code(204).send()
  })
}
