import { createHash } from 'node:crypto'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { extname, posix } from 'node:path'
import { addressOf } from './addresses.ts'
import type { Links } from './markdown.ts'

/** The name of a file after its content, so that it may be kept for ever. */
export function namedAfter(name: string, content: Uint8Array): string {
  const extension = extname(name)
  const hash = createHash('sha256').update(content).digest('base64url').slice(0, 8)
  return `${posix.basename(name, extension)}-${hash}${extension}`
}

/** The size that a drawing was made for. */
function sizeOf(name: string, content: Uint8Array): { width?: string; height?: string } {
  if (!name.endsWith('.svg')) return {}
  const [, width, height] = /viewBox="0 0 (\d+) (\d+)"/.exec(new TextDecoder().decode(content)) ?? []
  return width === undefined || height === undefined ? {} : { width, height }
}

/** Of these a page may hand out a copy: what lies in `docs`, but for what only who works on the service reads. */
function isPublished(path: string): boolean {
  return /^docs\/(?!decisions\/|screens\/)/.test(path) && !path.endsWith('.md')
}

/**
 * Where the links of Markdown files lead on the site. Files that pages link to or show are collected; what is wrong is
 * collected too, so that all of it is told at once.
 *
 * @param files filled with what is to be published, by its path in the built folder
 * @param problems filled with a sentence for each link that leads nowhere
 */
export function createLinks(files: Map<string, Uint8Array>, problems: string[]): Links {
  const publish = (path: string): { address: string; content: Uint8Array } => {
    const content = readFileSync(path)
    const name = namedAfter(path, content)
    files.set(`assets/${name}`, content)
    return { address: `/docs/assets/${name}`, content }
  }
  const targetOf = (from: string, href: string): string | undefined => {
    const target = posix.join(posix.dirname(from), decodeURI(href))
    if (existsSync(target)) return target
    problems.push(`${from} links to ${href}, which is not there.`)
    return undefined
  }
  return {
    resolve: (from, href) => {
      if (/^(?:[a-z][\w+.-]*:|#|\/)/i.test(href)) return href
      const [path = '', fragment] = href.split('#', 2)
      const target = targetOf(from, path)
      if (target === undefined) return undefined
      const address = addressOf(target)
      if (address !== undefined) return fragment === undefined ? address : `${address}#${fragment}`
      return isPublished(target) && statSync(target).isFile() ? publish(target).address : undefined
    },
    picture: (from, src) => {
      const target = targetOf(from, src)
      if (target === undefined) return { address: src }
      const { address, content } = publish(target)
      return { address, ...sizeOf(target, content) }
    },
  }
}
