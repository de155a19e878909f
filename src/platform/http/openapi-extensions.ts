/** The interactive reference's extensions of OpenAPI. */
export const extensions = {
  /** Marks next to an operation's name. */
  badges: 'x-badges',
  /** Of an example: filled in, but not sent by default. */
  disabled: 'x-disabled',
  /** What each value of an enumeration means. */
  enumDescriptions: 'x-enumDescriptions',
  /** How the code verifier of an authorization is hashed. */
  pkce: 'x-usePkce',
} as const
