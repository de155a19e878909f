import { isReachable, onReachability, suspectSilence, whenReachable } from './reachability.ts'

/** The files that are loaded or loading, by path. */
const loads = new Map<string, Promise<void>>()

/** Whether the whole file arrived; undefined where the service no longer has it. Aborts when the service becomes unreachable. */
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

/** How often a file may fail while the service is reachable: then something on this device blocks it. */
const failuresMax = 2

/**
 * Brings a file into the browser's cache, however long the service is unreachable.
 *
 * @throws TypeError like the browser's own `import()`
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
  const started = load(path)
  loads.set(path, started)
  started.catch(() => loads.delete(path))
  return started
}

/**
 * The build puts this around every `import()`. While a page is open, browsers remember a script that failed to load, so all scripts are
 * first fetched into the cache, which waits for the network.
 *
 * @param files the paths of the script and of all that it imports
 */
export async function importPatiently<Module>(
  importModule: () => Promise<Module>,
  files: readonly string[] = [],
): Promise<Module> {
  await Promise.all(files.map((file) => loadOnce(`/${file}`)))
  return importModule()
}
