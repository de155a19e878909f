import { isReachable, onReachability, suspectSilence, whenReachable } from './reachability.ts'

/** What has arrived, or is on its way, by its path. */
const loads = new Map<string, Promise<void>>()

/** Whether the file has arrived whole; undefined where the service no longer has it. Given up once the service is unreachable. */
async function fetchWhole(path: string): Promise<boolean | undefined> {
  const attempt = new AbortController()
  const unfollow = onReachability(() => isReachable() || attempt.abort())
  const clear = suspectSilence()
  try {
    const response = await fetch(path, { signal: attempt.signal })
    if (response.status >= 500) return false
    if (!response.ok) return undefined
    await response.arrayBuffer()
    return true
  } catch {
    return false
  } finally {
    clear()
    unfollow()
  }
}

/** How often a file may fail although the service can be reached: something on this device refuses it then. */
const failuresMax = 2

/**
 * Brings a file into the browser's cache, however long the service is unreachable.
 *
 * @throws Error, as the browser's own `import()` would, where it cannot be had although the service can be reached
 */
async function load(path: string): Promise<void> {
  let failures = 0
  while (failures < failuresMax) {
    const hasArrived = await fetchWhole(path)
    if (hasArrived === true) return
    if (hasArrived === undefined) break
    if (!(await whenReachable())) failures++
  }
  throw new TypeError(`Failed to fetch dynamically imported module: ${path}`)
}

function loadOnce(path: string): Promise<void> {
  const known = loads.get(path)
  if (known !== undefined) return known
  const begun = load(path)
  loads.set(path, begun)
  begun.catch(() => loads.delete(path))
  return begun
}

/**
 * What the build puts around every `import()`. Browsers remember for as long as a page is open that a script could not be loaded,
 * and so each script that it imports. Therefore all of them are fetched into the cache before the import, which without a
 * network waits for it.
 *
 * @param importModule imports the script
 * @param files the paths of the script and of all that it imports
 */
export async function importPatiently<Module>(
  importModule: () => Promise<Module>,
  files: readonly string[] = [],
): Promise<Module> {
  await Promise.all(files.map((file) => loadOnce(`/${file}`)))
  return importModule()
}
