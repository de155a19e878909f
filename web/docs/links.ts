import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { extname, posix } from 'node:path'
import { toAddress } from './addresses.ts'
import type { Links } from './markdown.ts'

/** Names a file after its content, so that it can be cached forever. */
export function toHashedName(name: string, content: Uint8Array): string {
  const extension = extname(name)
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 8)
  return `${posix.basename(name, extension)}-${hash}${extension}`
}

/** The intrinsic size of a drawing. */
function readSize(name: string, content: Uint8Array): { width?: string; height?: string } {
  if (!name.endsWith('.svg')) return {}
  const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(new TextDecoder().decode(content)) ?? []
  return width === undefined || height === undefined ? {} : { width, height }
}

/** Whether pages may link to a copy of a file. Decisions are only for people who work on the service. */
function isPublished(path: string): boolean {
  return /^docs\/(?!decisions\/)/.test(path) && !path.endsWith('.md')
}

/**
 * Resolves the links of Markdown files.
 *
 * @param files receives the files that pages link to or show, by path in the built folder
 * @param problems receives a sentence for each broken link
 */
export function createLinks(files: Map<string, Uint8Array>, problems: string[]): Links {
  const publish = (path: string): { address: string; content: Uint8Array } => {
    const content = readFileSync(path)
    const name = toHashedName(path, content)
    files.set(`assets/${name}`, content)
    return { address: `/docs/assets/${name}`, content }
  }
  const findTarget = (from: string, href: string): string | undefined => {
    const target = posix.join(posix.dirname(from), decodeURI(href))
    if (existsSync(target)) return target
    problems.push(`${from} links to ${href}, which is not there.`)
    return undefined
  }
  return {
    resolve: (from, href) => {
      if (/^(?:[a-z][\w+.-]*:|#|\/)/i.test(href)) return href
      const [path = '', fragment] = href.split('#', 2)
      const target = findTarget(from, path)
      if (target === undefined) return undefined
      const address = toAddress(target)
      if (address !== undefined) return fragment === undefined ? address : `${address}#${fragment}`
      return isPublished(target) && statSync(target).isFile() ? publish(target).address : undefined
    },
    picture: (from, src) => {
      const target = findTarget(from, src)
      if (target === undefined) return { address: src }
      const { address, content } = publish(target)
      return { address, ...readSize(target, content) }
    },
  }
}
