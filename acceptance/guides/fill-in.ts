/** How pages write the address of the reader's service. */
const shownAddress = 'http://localhost:8080'

/** A variable whose value a reader fills in. */
const openValue = /\b([A-Z][A-Z\d_]*)=(["']?)([^\s"']*…[^\s"']*)\2/g

/** Replaces the address that pages show by a service's. */
export const withAddress = (text: string, url: string): string => text.replaceAll(shownAddress, url)

/**
 * A block as a reader pastes it: with their own values for `CREDENTIAL=nsk_…` and the like.
 *
 * @param getValue gives undefined if the reader has no such variable
 * @throws where something stays open
 */
export const fillIn = async (
  script: string,
  url: string,
  getValue: (name: string) => Promise<string | undefined>,
): Promise<string> => {
  let filled = withAddress(script, url)
  for (const [shown, name] of Array.from(filled.matchAll(openValue))) {
    const value = await getValue(name!)
    if (value === undefined) throw new Error(`the scene of this page has no ${name}`)
    filled = filled.replace(shown, () => `${name}='${value}'`)
  }
  const open = filled.split('\n').find((line) => line.replace(/(^|\s)#.*/, '').includes('…'))
  if (open !== undefined) throw new Error(`nothing is known to put in for the … in "${open.trim()}"`)
  return filled
}
