import { Type } from 'typebox'
import { Text } from '../../platform/http/console-schemas.ts'
import { knownMetrics } from '../declarations/known-metrics.ts'

/** An id in an answer. */
export function uuid(description: string) {
  return Type.String({ format: 'uuid', description })
}

export const orgnr = Type.Optional(
  Text('The company, for a connection or an app that acts on more than one.'),
)
export const sourceId = Type.Optional(
  Type.String({
    format: 'uuid',
    description:
      'The source, for a connection bound to none; a bound one may name only its own. An app may leave it out where the ' +
      'company has one.',
  }),
)
export const cursor = Type.Optional(Text('`next_cursor` of the page before; absent for the first one.'))
export const limit = Type.Optional(
  Type.String({ pattern: '^[0-9]{1,3}$', description: 'Items a page, 1 to 200; 50 by default.' }),
)
export const metric = Type.String({
  description: `Metric key: ${knownMetrics.map(({ key }) => `\`${key}\``).join(', ')}.`,
})
export const labels = Type.Record(Type.String(), Type.String(), {
  description: 'Label set as the metric declares it: the fields it is grouped by, with their values.',
})

/**
 * Parameters `label.<name>`: members of one object that is exploded. One of them represents all, so that the reference
 * has a field to fill in.
 */
export function labelFilter(description: string) {
  return Type.Optional(
    Type.Object(
      {
        'label.country': Type.Optional(
          Text('For a label named `country`. Another label has its own name behind the dot.'),
        ),
      },
      {
        patternProperties: { '^label[.]': { type: 'string', description: 'The value of the label.' } },
        additionalProperties: false,
        description,
        examples: [{ 'label.country': 'SE' }],
      },
    ),
  )
}

/** Of every read [read.unknown]. */
export const strayParameter =
  'or a parameter is malformed, repeated or unknown: the message then names the nearest known one.'

export const delivers = Type.Union([Type.Literal('events'), Type.Literal('statements')], {
  description: 'Whether its rows add to what came before, or are the whole of every period they touch.',
})

export const sourceIdExample = '01977c1e-0b5a-7d0e-8a64-3f1c5b7e9a10'
export const artifactIdExample = '01977c1e-6e1b-7c3a-9f54-2f0f6a0d5b11'
