import { execFile } from 'node:child_process'
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import releases from '../../releases.json' with { type: 'json' }

const run = promisify(execFile)

/** This version of the service. */
export const root = join(import.meta.dirname, '../..')

/** The packages and the built pages of this version. */
async function link(checkout: string): Promise<void> {
  await symlink(join(root, 'node_modules'), join(checkout, 'node_modules'))
  await mkdir(join(checkout, 'web'), { recursive: true })
  await symlink(join(root, 'web/dist'), join(checkout, 'web/dist'))
}

export interface Release {
  version: string
  commit: string
}

/** The last release before this version. */
export function findPreviousRelease(version: string): Release | undefined {
  return (releases as Release[]).findLast((release) => release.version !== version)
}

/** Why a release cannot be taken out of the history, or undefined. */
export async function findWhyMissing(release: Release | undefined): Promise<string | undefined> {
  if (release === undefined) return 'no version was released before this one'
  return run('git', ['cat-file', '-e', `${release.commit}^{commit}`], { cwd: root }).then(
    () => undefined,
    () => `the history has no commit of release ${release.version}`,
  )
}

/** Takes a release out of the history. */
export async function checkOutRelease({ commit }: Release, folder: string): Promise<string> {
  const checkout = join(folder, 'previous')
  await mkdir(checkout)
  const archive = join(folder, 'previous.tar')
  await run('git', ['archive', '--output', archive, commit], { cwd: root })
  await run('tar', ['--extract', '--file', archive, '--directory', checkout])
  await link(checkout)
  return checkout
}

/** A later version of this one, with further migrations, by their folders and names. */
export async function createNextVersion(
  folder: string,
  version: string,
  migrations: Record<string, string[]>,
): Promise<string> {
  const checkout = join(folder, 'next')
  for (const part of ['src', 'migrations', 'docs'])
    await cp(join(root, part), join(checkout, part), { recursive: true })
  const packageFile = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  await writeFile(join(checkout, 'package.json'), JSON.stringify({ ...packageFile, version }))
  for (const [schema, texts] of Object.entries(migrations)) {
    const at = join(checkout, 'migrations', schema)
    const present = (await readdir(at)).length
    for (const [index, text] of texts.entries()) {
      const number = String(present + index + 1).padStart(6, '0')
      await writeFile(join(at, `${number}_upgrade_${index + 1}.sql`), text)
    }
  }
  await link(checkout)
  return checkout
}
