/** A person with a BankID. */
export interface Person {
  /** Twelve digits. */
  personalNumber: string
  name: string
  /** By default all words of the name but the last. */
  givenName?: string
  /** By default the last word of the name. */
  surname?: string
}

export function splitName({ name, givenName, surname }: Person): { givenName: string; surname: string } {
  const words = name.split(' ')
  return {
    givenName: givenName ?? (words.length > 1 ? words.slice(0, -1).join(' ') : name),
    surname: surname ?? words.at(-1)!,
  }
}
