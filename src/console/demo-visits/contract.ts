import { Type } from 'typebox'
import { DateTime, NoFields, OrNull, Text, Uuid } from '../../platform/http/console-schemas.ts'
import { contract } from '../../platform/http/contract.ts'

export const showDemoContract = contract({
  api: 'console',
  operationId: 'showDemo',
  summary: 'Show what a demo deployment offers',
  description: 'On demo deployments only: for the front page of the documents.',
  tags: ['Demo'],
  guard: 'none',
  responses: {
    200: {
      description: 'What there is.',
      body: Type.Object(
        {
          credential: OrNull(
            Text('Of the demo connection, which reads made-up samples. It is published, so not a secret.'),
          ),
          resets_at: OrNull(
            Text(
              'When the demo is reset each night, with everything that visitors created: `HH:MM` in the time zone of the ' +
                'deployment. Null if it is not.',
            ),
          ),
        },
        { title: 'Demo' },
      ),
    },
  },
  errors: [{ code: 'not_found', when: 'This is not a demo deployment.' }],
})

export const createDemoVisitContract = contract({
  api: 'console',
  operationId: 'createDemoVisit',
  summary: 'Get a sandbox credential for trying a push',
  description:
    'On demo deployments only, without signing in: a source of your own with the fields `at`, `amount` and `country`, and a ' +
    'sandbox credential for it that works for an hour.',
  tags: ['Demo'],
  guard: 'none',
  body: NoFields,
  responses: {
    201: {
      description: 'The visit.',
      body: Type.Object(
        {
          source_id: Uuid('The source.'),
          credential: Text('Never shown again.'),
          expires_at: DateTime('When the credential expires.'),
        },
        { title: 'DemoVisit' },
      ),
    },
  },
  errors: [
    { code: 'permission_denied', when: 'The call comes from a page of another origin.' },
    { code: 'not_found', when: 'This is not a demo deployment.' },
    { code: 'conflict', when: 'The demo has had all visits that it allows until its next reset.' },
    {
      code: 'rate_limited',
      when: 'There were too many visits, from your network or in all; wait `Retry-After` seconds.',
    },
  ],
})
