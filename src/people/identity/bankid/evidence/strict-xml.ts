import { NotVerified } from './not-verified.ts'

/** With deeper elements, a signature does not hold. */
export const xmlDepthMax = 16
/** With more elements, a signature does not hold. */
export const xmlElementsMax = 1_000

/** An element with either elements or text within, and no prefix on any name. */
export interface XmlElement {
  name: string
  attributes: ReadonlyMap<string, string>
  children: XmlElement[]
  /** White space if there are children. */
  text: string
  /** As written, with its tags. */
  source: string
}

const declaration = /<\?xml version="1\.0" encoding="UTF-8"(?: standalone="(?:yes|no)")?\?>/y
const startTag = /<([A-Za-z][A-Za-z0-9]*)((?: [A-Za-z]+="[^"<>&\p{Cc}]*")*)>/uy
const attribute = / ([A-Za-z]+)="([^"]*)"/g
const endTag = /<\/([A-Za-z][A-Za-z0-9]*)>/y
const textRun = /[^<>&\r]*/y
const space = /^[\t\n ]*$/

/** In canonical order: the namespace, then by name. */
function readAttributes(text: string): Map<string, string> {
  const attributes = new Map<string, string>()
  let last = ''
  for (const [, name = '', value = ''] of text.matchAll(attribute)) {
    const order = name === 'xmlns' ? ' ' : name
    if (order <= last) throw new NotVerified('malformed_signature')
    attributes.set(name, value)
    last = order
  }
  return attributes
}

/**
 * Parses the small part of XML in which signatures with BankID are written, without anything that two parsers could
 * understand differently: no document type, entities, character references, comments, CDATA, processing instructions,
 * prefixes or mixed content. An element that declares its namespace itself is its own canonical form (W3C
 * REC-xml-c14n-20010315). One pass, in linear time.
 *
 * @throws NotVerified `malformed_signature` if it is anything else
 */
export function parseStrictXml(xml: string): XmlElement {
  let at = 0
  const match = (pattern: RegExp): RegExpExecArray | undefined => {
    pattern.lastIndex = at
    const found = pattern.exec(xml)
    if (found === null) return undefined
    at = pattern.lastIndex
    return found
  }
  match(declaration)
  const top: XmlElement = { name: '', attributes: new Map(), children: [], text: '', source: '' }
  const open = [{ element: top, from: 0 }]
  let elements = 0
  while (at < xml.length) {
    const { element: parent, from } = open.at(-1)!
    parent.text += match(textRun)![0]
    if (at === xml.length) break
    const startsAt = at
    const start = match(startTag)
    if (start !== undefined) {
      if (open.length > xmlDepthMax || ++elements > xmlElementsMax)
        throw new NotVerified('malformed_signature')
      const [, name = '', attributes = ''] = start
      const element = { name, attributes: readAttributes(attributes), children: [], text: '', source: '' }
      parent.children.push(element)
      open.push({ element, from: startsAt })
      continue
    }
    if (match(endTag)?.[1] !== parent.name) throw new NotVerified('malformed_signature')
    if (parent.children.length > 0 && !space.test(parent.text)) throw new NotVerified('malformed_signature')
    parent.source = xml.slice(from, at)
    open.pop()
  }
  const [root] = top.children
  if (open.length !== 1 || top.children.length !== 1 || root === undefined || !space.test(top.text)) {
    throw new NotVerified('malformed_signature')
  }
  return root
}
