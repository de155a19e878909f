import type { FastifyReply, FastifyRequest } from 'fastify'
import { Compile } from 'typebox/compile'
import type { DirectoryContext } from '../../../context.ts'
import { parsePersonalNumber } from '../../../formats/values/personal-number.ts'
import { readRequestBody } from '../../../platform/http/body/parse-bodies.ts'
import { route, type App } from '../../../platform/http/contract.ts'
import { ApiError, invalidArgument, notFound } from '../../../platform/http/errors/errors.ts'
import { checkDisplayText } from '../../../platform/http/requests/check-display-text.ts'
import { opensPage } from '../../../platform/http/requests/opens-page.ts'
import { preferredLanguage } from '../../../platform/http/requests/preferred-language.ts'
import { answerDemoOrderContract, DemoAnswer, showDemoOrderContract } from '../contract.ts'
import type { IdentifiedPerson, WithIdentity } from '../identity-provider.ts'
import { demoAnsweredPage, demoOrderPage, demoOverPage, demoPageContentPolicy } from './demo-page.ts'
import { answerDemoIdentity, findOpenDemoOrder } from './demo-provider.ts'

const answerPattern = Compile(DemoAnswer)

/** Several times the longest answer that makes sense. A larger form is 413. */
const demoFormBytesMax = 16_384

const formType = 'application/x-www-form-urlencoded'

function sendPage(reply: FastifyReply, status: number, page: string): FastifyReply {
  return reply
    .code(status)
    .header('content-security-policy', demoPageContentPolicy)
    .type('text/html; charset=utf-8')
    .send(page)
}

/** The page of the demo's electronic identity, if the deployment has it. */
export async function registerDemoIdentityRoutes(
  app: App,
  context: DirectoryContext & WithIdentity,
): Promise<void> {
  if (!context.identity.demo) return
  app.addContentTypeParser(formType, async (request: FastifyRequest) => {
    const body = await readRequestBody(app, request, demoFormBytesMax)
    return Object.fromEntries(new URLSearchParams(body.toString()))
  })

  const readPerson = (answer: { personal_number?: string; name?: string }): IdentifiedPerson => {
    const personalNumber = parsePersonalNumber(answer.personal_number ?? '', new Date(context.clock.now()))
    if (personalNumber === undefined)
      throw invalidArgument('This is not a personal number.', 'personal_number')
    return { personalNumber, name: checkDisplayText(answer.name ?? '', 'name') }
  }

  app.get('/demo-identity/orders/:reference', route(showDemoOrderContract), async (request, reply) => {
    const language = preferredLanguage(request.headers['accept-language'])
    const order = await findOpenDemoOrder(context, request.params.reference)
    if (order !== undefined) return sendPage(reply, 200, demoOrderPage(language, order.visibleText))
    if (opensPage(request)) return sendPage(reply, 404, demoOverPage(language))
    throw notFound()
  })

  app.post('/demo-identity/orders/:reference', route(answerDemoOrderContract), async (request, reply) => {
    const { body, headers } = request
    const { reference } = request.params
    const fromPage = headers['content-type']?.startsWith(formType) === true
    if (!answerPattern.Check(body)) throw invalidArgument('The answer is approve or refuse.', 'answer')
    const approved = body.answer === 'approve'
    const language = preferredLanguage(headers['accept-language'])
    let person: IdentifiedPerson | undefined
    try {
      person = approved ? readPerson(body) : undefined
    } catch (error) {
      if (!(error instanceof ApiError) || !fromPage) throw error
      const order = await findOpenDemoOrder(context, reference)
      if (order === undefined) return sendPage(reply, 404, demoOverPage(language))
      const wrong = {
        personalNumber: body.personal_number ?? '',
        name: body.name ?? '',
        field: error.field === 'name' ? 'name' : 'personal_number',
        message: error.message,
      } as const
      return sendPage(reply, 400, demoOrderPage(language, order.visibleText, wrong))
    }
    const isAnswered = await answerDemoIdentity(context, reference, person)
    if (fromPage) {
      const page = isAnswered ? demoAnsweredPage(language, approved) : demoOverPage(language)
      return sendPage(reply, isAnswered ? 200 : 404, page)
    }
    if (!isAnswered) throw notFound()
    return reply.code(204).send()
  })
}
