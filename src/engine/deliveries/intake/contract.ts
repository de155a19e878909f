/** Schemas of bodies, shared by both channels. */
import { Type } from 'typebox'

export const rowSchema = Type.Record(Type.String(), Type.Unknown(), {
  description:
    'One row. Its keys are fields that the source declares; other keys are dropped and listed in the receipt. ' +
    'Values are strings, so that decimals stay exact; a JSON number is taken by its digits.',
})

/** For bodies that do not name their shape version themselves. */
export const shapeVersionHeader = Type.Optional(
  Type.String({
    pattern: '^[1-9][0-9]{0,8}$',
    description:
      "The source's shape version that the body is written against; the current one where absent. Not read where the " +
      'body names it.',
  }),
)
