import { Type } from 'typebox'
import { DateTime, NoFields, OrNull, Uuid } from '../http/console-schemas.ts'
import { contract } from '../http/contract.ts'

export const showDemoContract = contract({
  api: 'console',
  operationId: 'showDemo',
  summary: 'Read what a demo deployment offers to everybody',
  description: 'On demo deployments only: for the front page of the documents.',
  tags: ['Demo'],
  guard: 'none',
  responses: {
    200: {
      description: 'What there is.',
      body: Type.Object(
        {
          credential: OrNull(
            Type.String({
              description:
                'Of the demo connection, which reads made-up samples: published, so no secret. Null where there is none.',
            }),
          ),
          made_anew_at: OrNull(
            Type.String({
              description:
                'When the demo is made anew each night, and all that visitors made is gone: `HH:MM` in the time zone ' +
                'of the deployment. Null where it is not.',
            }),
          ),
        },
        { title: 'Demo' },
      ),
    },
  },
  errors: [{ code: 'not_found', when: 'This is no demo deployment.' }],
})

export const makeDemoVisitContract = contract({
  api: 'console',
  operationId: 'makeDemoVisit',
  summary: 'Get a sandbox credential for trying a push',
  description:
    'On demo deployments only, for everybody: a source of your own with the fields `at`, `amount` and `country`, and a ' +
    'sandbox credential for it that works for an hour. Nobody else reads what you send with it.',
  tags: ['Demo'],
  guard: 'none',
  body: NoFields,
  responses: {
    201: {
      description: 'The visit.',
      body: Type.Object(
        {
          source_id: Uuid('The source.'),
          credential: Type.String({ description: 'Shown here and never again.' }),
          expires_at: DateTime('When the credential opens nothing any more.'),
        },
        { title: 'DemoVisit' },
      ),
    },
  },
  errors: [
    { code: 'permission_denied', when: 'A page of another origin asks.' },
    { code: 'not_found', when: 'This is no demo deployment.' },
    {
      code: 'conflict',
      when: 'The demo has had as many visits as it allows until its next reset.',
    },
    {
      code: 'rate_limited',
      when: 'There were too many visits, from your network or in all; wait `Retry-After` seconds.',
    },
  ],
})
