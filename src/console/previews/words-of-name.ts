/**
 * Splits the name of a column or key into words in lower case: `CustomerID`, `customer_id` and `customer-id` become
 * `customer` and `id`.
 */
export function wordsOfName(name: string): string[] {
  return name
    .normalize('NFC')
    .replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
}
