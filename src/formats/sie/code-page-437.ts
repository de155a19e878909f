/** The characters of the bytes 0x80 to 0xff in code page 437, which the SIE format calls PC8. */
const upperHalf =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐' +
  '└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0'

/** Decodes code page 437, given as text with one character per byte. */
export function fromCodePage437(latin1: string): string {
  return latin1.replace(/[\x80-\xff]/g, (character) => upperHalf[character.charCodeAt(0) - 0x80]!)
}
