/** Reads single variables, and collects all problems for one report. */
export interface EnvironmentReader {
  readonly problems: string[]
  /** Records a problem with a variable. */
  refuse(name: string, why: string): void
  /** Undefined where the variable is unset or empty. */
  text(name: string): string | undefined
  integer(name: string, fallback: number, min: number, max: number): number
  oneOf<const Choice extends string>(name: string, choices: readonly Choice[]): Choice | undefined
  /** Comma-separated; empty where unset. */
  list(name: string): string[]
}

/** @param namesGiven the names by which variables were set, where these differ: `--port` */
export function createEnvironmentReader(
  env: NodeJS.ProcessEnv,
  namesGiven: Readonly<Record<string, string>> = {},
): EnvironmentReader {
  const problems: string[] = []
  const refuse = (name: string, why: string): void => void problems.push(`${namesGiven[name] ?? name} ${why}`)
  const text = (name: string): string | undefined => env[name]?.trim() || undefined

  return {
    problems,
    refuse,
    text,
    integer: (name, fallback, min, max) => {
      const value = text(name)
      if (value === undefined) return fallback
      const integer = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN
      if (integer >= min && integer <= max) return integer
      refuse(name, `must be a whole number from ${min} to ${max}`)
      return fallback
    },
    oneOf: (name, choices) => {
      const value = text(name)
      const choice = choices.find((each) => each === value)
      if (value !== undefined && choice === undefined) refuse(name, `must be one of ${choices.join(', ')}`)
      return choice
    },
    list: (name) => (text(name)?.split(',') ?? []).map((item) => item.trim()).filter((item) => item !== ''),
  }
}
