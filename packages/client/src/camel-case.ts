type CamelName<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<CamelName<Rest>>}`
  : Name

/** The members of an answer in camel case. */
export type CamelCase<T> = T extends (infer Item)[]
  ? CamelCase<Item>[]
  : T extends object
    ? { [Name in keyof T as CamelName<Name & string>]: CamelCase<T[Name]> }
    : T

/** Renames the members of an answer. The names of labels are a company's own and stay. */
export function toCamelCase<T>(value: T): CamelCase<T> {
  return rename(value) as CamelCase<T>
}

function rename(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(rename)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase()),
      name === 'labels' ? member : rename(member),
    ]),
  )
}
