import { spawnSync } from 'node:child_process'
import { readFileSync, realpathSync, statSync } from 'node:fs'
import { dirname } from 'node:path'

export interface User {
  uid: number
  gid: number
}

export interface Command {
  file: string
  args: string[]
  /** For spawn; absent if `file` changes the user itself. */
  user: User | undefined
}

const executable = 0o1

function findUser(name: string): User | undefined {
  try {
    for (const line of readFileSync('/etc/passwd', 'utf8').split('\n')) {
      const [entry, , uid, gid] = line.split(':')
      if (entry === name) return { uid: Number(uid), gid: Number(gid) }
    }
  } catch {
    // No such file: the usual numbers below.
  }
  return undefined
}

/**
 * The user that PostgreSQL runs as: it refuses root, so under root it runs as the owner of the data, or else as
 * `nobody`. Undefined if this process runs as an ordinary user, and so does PostgreSQL.
 */
export function unprivilegedUser(dataFolder: string): User | undefined {
  if (process.getuid?.() !== 0) return undefined
  const owner = statSync(dataFolder, { throwIfNoEntry: false })
  if (owner && owner.uid !== 0) return { uid: owner.uid, gid: owner.gid }
  return findUser('nobody') ?? { uid: 65_534, gid: 65_534 }
}

/** Whether the mode lets the user search the folder, or execute the file. */
function mayExecute(path: string, user: User): boolean {
  const { mode, uid, gid } = statSync(path)
  const shift = uid === user.uid ? 6 : gid === user.gid ? 3 : 0
  return ((mode >> shift) & executable) !== 0
}

function mayReach(path: string, user: User): boolean {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    if (!mayExecute(folder, user)) return false
    if (folder === dirname(folder)) return true
  }
}

/** The capability that gives the user access to these paths despite their modes, if one is needed (capabilities(7)). */
function neededCapability(program: string, paths: string[], user: User): string | undefined {
  if (!mayExecute(program, user)) return 'dac_override'
  return [program, ...paths].every((path) => mayReach(path, user)) ? undefined : 'dac_read_search'
}

function setprivWorks(args: string[]): boolean {
  return (
    process.platform === 'linux' && spawnSync('setpriv', [...args, 'true'], { stdio: 'ignore' }).status === 0
  )
}

/**
 * How to run a program of PostgreSQL as `user` with access to `paths`. With util-linux available it also gets `signal`
 * when this process dies in any way, and can run from inside root's own home.
 */
export function unprivilegedCommand(options: {
  program: string
  args: string[]
  paths: string[]
  user: User | undefined
  signal: 'INT' | 'KILL'
}): Command {
  const { args, user } = options
  const program = realpathSync(options.program)
  const capability =
    user &&
    neededCapability(
      program,
      options.paths.map((path) => realpathSync(path)),
      user,
    )

  const setpriv = [`--pdeathsig=${options.signal}`]
  if (user) setpriv.push(`--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups')
  // Where root itself lacks it (in many containers), the wider one includes it.
  const capabilities = capability === 'dac_read_search' ? [capability, 'dac_override'] : [capability]
  for (const name of capabilities) {
    // PostgreSQL looks for its programs with access(2), which counts capabilities only under this securebit.
    const raise = name
      ? ['--securebits=+no_setuid_fixup', `--inh-caps=+${name}`, `--ambient-caps=+${name}`]
      : []
    if (setprivWorks([...setpriv, ...raise])) {
      return { file: 'setpriv', args: [...setpriv, ...raise, '--', program, ...args], user: undefined }
    }
  }
  if (capability) {
    throw new Error(
      `PostgreSQL may not run as root, and the user it would run as (uid ${user?.uid}) cannot reach ${program} ` +
        `or the data folder. Put both where every user can reach them, run as an ordinary user, install ` +
        `util-linux (setpriv), or set DATABASE_URL.`,
    )
  }
  return { file: program, args, user }
}
