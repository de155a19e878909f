/**
 * Runs before `npm start` and `npm test`: installs what package-lock.json names, unless that is there already. Written
 * for the machine's own Node, which may be an old one (18 or later); Node 26 is among the packages.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, linkSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const nodeMajorMin = 26
const pollMs = 200

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const modules = join(root, 'node_modules')
/** Holds the hash of the lock file that was installed. */
const stamp = join(modules, '.installed')
/** Where npm notes what it put there. */
const hiddenLock = join(modules, '.package-lock.json')
/** Outside node_modules, which an installation empties first. */
const claim = join(root, '.installing')

const lockText = readFileSync(join(root, 'package-lock.json'), 'utf8')
const wanted = createHash('sha256').update(lockText).digest('hex')

const read = (path) => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** Whether `npm install` was run by hand and left exactly what the lock file names. */
const isInstalledByHand = () => {
  const hidden = read(hiddenLock)
  if (hidden === '') return false
  const installed = JSON.parse(hidden).packages
  return Object.entries(JSON.parse(lockText).packages).every(([path, entry]) => {
    if (path === '' || entry.link) return true
    // Optional ones are for other platforms, where they are missing.
    if (!installed[path]) return entry.optional || entry.devOptional
    return installed[path].integrity === entry.integrity && installed[path].version === entry.version
  })
}

/** Whether npm changed node_modules after it was stamped. */
const isStampOld = () =>
  existsSync(hiddenLock) &&
  statSync(hiddenLock).mtimeMs > (statSync(stamp, { throwIfNoEntry: false })?.mtimeMs ?? 0)

const isInstalled = () => {
  if (read(stamp) === wanted && !isStampOld()) return true
  if (!isInstalledByHand()) return false
  writeFileSync(stamp, wanted)
  return true
}

const isAlive = (pid) => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

/** Takes the right to install, or waits while another process has it; whether it was taken. */
const claimInstallation = () => {
  const own = `${claim}.${process.pid}`
  writeFileSync(own, `${process.pid}`)
  try {
    for (;;) {
      try {
        // A link appears with its content, or not at all.
        linkSync(own, claim)
        return true
      } catch (error) {
        if (error.code !== 'EEXIST') throw error
      }
      const holder = read(claim)
      if (holder !== '' && !isAlive(Number(holder))) {
        // Left by a process that was killed. Moved before it is deleted, so that of two only one takes it away.
        const aside = `${own}.aside`
        try {
          renameSync(claim, aside)
          if (read(aside) !== holder) linkSync(aside, claim)
        } catch {
          // Somebody else was quicker.
        }
        rmSync(aside, { force: true })
        continue
      }
      sleep(pollMs)
      if (isInstalled()) return false
    }
  } finally {
    rmSync(own, { force: true })
  }
}

const fail = (message) => {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}

const install = () => {
  process.stderr.write('Installing what package-lock.json names …\n')
  const npm = process.env['npm_execpath']
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error']
  // npm's own Node, not the one in node_modules, which is about to be removed.
  const [file, ...words] = npm
    ? [process.env['npm_node_execpath'] ?? process.execPath, npm, ...args]
    : ['npm', ...args]
  const { status, error, stdout, stderr } = spawnSync(file, words, { cwd: root, encoding: 'utf8' })
  if (status !== 0)
    fail(`${stdout ?? ''}${stderr ?? ''}${error ?? ''}\nnpm ci failed; nothing runs without its packages.`)
}

/** Node 26 comes from the package for this platform; where there is none, the machine's own must do. */
const checkNode = () => {
  const own = join(modules, '.bin/node')
  const version = existsSync(own)
    ? spawnSync(own, ['--version'], { encoding: 'utf8' }).stdout
    : process.version
  if (Number(/^v(\d+)/.exec(version ?? '')?.[1]) >= nodeMajorMin) return
  const platform = `${process.platform}-${process.arch}`
  fail(
    `Numera needs Node ${nodeMajorMin} or later. npm has no package with one that runs on this machine (${platform}), ` +
      `and its own is ${process.version}: install Node ${nodeMajorMin}, then run this again.`,
  )
}

if (!isInstalled()) {
  if (claimInstallation()) {
    try {
      // Somebody may have finished between the look and the claim.
      if (!isInstalled()) {
        install()
        writeFileSync(stamp, wanted)
      }
    } finally {
      rmSync(claim, { force: true })
    }
  }
  checkNode()
} else if (Number(process.versions.node.split('.')[0]) < nodeMajorMin) {
  // npm puts the packages' Node first on the path; it is not this one, so there is none.
  checkNode()
}
