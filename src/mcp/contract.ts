import { Type } from 'typebox'
import { contract } from '../platform/http/contract.ts'

const message = Type.Object(
  {
    jsonrpc: Type.Literal('2.0', { description: 'The version of JSON-RPC.' }),
    method: Type.Optional(Type.String({ description: 'Such as `tools/call`.' })),
    params: Type.Optional(
      Type.Object({}, { additionalProperties: true, description: 'The parameters of the method.' }),
    ),
  },
  {
    title: 'JsonRpcMessage',
    additionalProperties: true,
    description: 'A message of JSON-RPC 2.0, as the Model Context Protocol has it.',
  },
)

export const callToolsContract = contract({
  api: 'public',
  operationId: 'callTools',
  summary: 'Call a tool, for assistants',
  description:
    'Let an assistant read numbers by the Model Context Protocol.\n\n' +
    'Streamable HTTP, revision 2026-07-28, and by its fallback those of 2025. No session, no stream, one message a request. The ' +
    'tools only read, and see what the token may read; an error of a tool is in its result. [How to add it to an ' +
    'assistant](/docs/assistants).',
  tags: ['Samples'],
  addition: true,
  guard: 'bearer',
  permission: 'metrics.read',
  source: 'none',
  company: 'any',
  body: message,
  bodyExamples: {
    list: {
      summary: 'Which tools there are, as in 2025',
      value: { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} },
    },
  },
  responses: {
    200: {
      description: 'The answer; by `text/event-stream` where a client of 2025 is answered.',
      body: message,
      examples: { none: { summary: 'An answer', value: { jsonrpc: '2.0', id: 1, result: { tools: [] } } } },
    },
    202: { description: 'A notification was received. No body.' },
  },
  errors: [
    {
      code: 'invalid_argument',
      when: 'The body is not one message of JSON-RPC 2.0, or a header of the protocol does not fit it (then as JSON-RPC).',
    },
    { code: 'permission_denied', when: 'The request was sent by a page of another origin.' },
  ],
})
