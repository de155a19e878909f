/** How pages write the address of the reader's service. */
const shownAddress = 'http://localhost:8080'

/** A variable whose value a reader puts in. */
const openValue = /\b([A-Z][A-Z\d_]*)=(["']?)([^\s"']*…[^\s"']*)\2/g

/** Puts the address of a service in the place of the one that pages show. */
export const withAddress = (text: string, url: string): string => text.replaceAll(shownAddress, url)

/**
 * A block as a reader pastes it: with their own values for `CREDENTIAL=nsk_…` and its like.
 *
 * @param valueOf undefined where the reader has nothing of that name
 * @throws where something stays open
 */
export const fillIn = async (
  script: string,
  url: string,
  valueOf: (name: string) => Promise<string | undefined>,
): Promise<string> => {
  let filled = withAddress(script, url)
  for (const [shown, name] of Array.from(filled.matchAll(openValue))) {
    const value = await valueOf(name!)
    if (value === undefined) throw new Error(`the scene of this page has no ${name}`)
    filled = filled.replace(shown, () => `${name}='${value}'`)
  }
  const open = filled.split('\n').find((line) => line.replace(/(^|\s)#.*/, '').includes('…'))
  if (open !== undefined) throw new Error(`nothing is known to put in for the … in "${open.trim()}"`)
  return filled
}
