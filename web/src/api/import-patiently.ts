import { whenReachable } from './reachability.ts'

/** What has arrived, or is on its way, by its path. */
const loads = new Map<string, Promise<void>>()

/**
 * Brings a file into the browser's cache, however long the service is unreachable.
 *
 * @throws Error, as the browser's own `import()` would, where the service no longer has it
 */
async function load(path: string): Promise<void> {
  for (;;) {
    const response = await fetch(path).catch(() => undefined)
    if (response !== undefined && response.status < 500) {
      if (!response.ok) throw new TypeError(`Failed to fetch dynamically imported module: ${path}`)
      // Broken off, it is not in the cache.
      if (await response.arrayBuffer().then(Boolean, () => false)) return
    }
    await whenReachable()
  }
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
