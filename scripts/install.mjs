/**
 * Runs before `npm start` and `npm test`: installs what package-lock.json names and builds the pages in web/, unless
 * that was done already. Written for the machine's own Node, which may be an old one (18 or later); Node 26 is among
 * the packages.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const nodeMajorMin = 26
const pollMs = 200

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const modules = join(root, 'node_modules')
/** Holds the hash of the lock file that was installed. */
const stamp = join(modules, '.installed')
/** Where npm notes what it put there. */
const hiddenLock = join(modules, '.package-lock.json')
const web = join(root, 'web')
const pages = join(web, 'dist')
/** Holds the hash of what the pages were built from; goes with them. */
const pagesStamp = join(pages, '.built-from')
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

/** Every file that the pages are built from, by name. */
const sourcesOf = (folder) =>
  readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => folder !== web || !name.startsWith('dist'))
    .flatMap((entry) =>
      entry.isDirectory() ? sourcesOf(join(folder, entry.name)) : [join(folder, entry.name)],
    )
    // oxlint-disable-next-line unicorn/no-array-sort -- Node 18 has no toSorted
    .sort()

/** Of all that the pages are built from, packages included. */
const hashPages = () => {
  const hash = createHash('sha256').update(wanted)
  for (const path of sourcesOf(web)) {
    const content = readFileSync(path)
    hash.update(`\n${relative(web, path)} ${content.length}\n`).update(content)
  }
  return hash.digest('hex')
}

const arePagesBuilt = () => read(pagesStamp) === hashPages()

const isReady = () => isInstalled() && arePagesBuilt()

const isAlive = (pid) => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

/** Takes the right to install and build, or waits while another process has it; whether it was taken. */
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
      if (isReady()) return false
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

const packagedNode = join(modules, '.bin/node')

/** Node 26 comes from the package for this platform; where there is none, the machine's own must do. */
const checkNode = () => {
  const version = existsSync(packagedNode)
    ? spawnSync(packagedNode, ['--version'], { encoding: 'utf8' }).stdout
    : process.version
  if (Number(/^v(\d+)/.exec(version ?? '')?.[1]) >= nodeMajorMin) return
  const platform = `${process.platform}-${process.arch}`
  fail(
    `Numera needs Node ${nodeMajorMin} or later. npm has no package with one that runs on this machine (${platform}), ` +
      `and its own is ${process.version}: install Node ${nodeMajorMin}, then run this again.`,
  )
}

/** Builds beside the pages that there are, and then takes their place: nobody sees half of them. */
const buildPages = () => {
  process.stderr.write('Building the pages in web/ …\n')
  for (const name of readdirSync(web)) {
    // Left by a build that was killed.
    if (name.startsWith('dist.')) rmSync(join(web, name), { recursive: true, force: true })
  }
  const made = `${pages}.new`
  const hash = hashPages()
  const words = ['build', web, '--configLoader', 'native', '--outDir', made, '--logLevel', 'warn']
  const node = existsSync(packagedNode) ? packagedNode : process.execPath
  const { status, error, stdout, stderr } = spawnSync(node, [join(modules, 'vite/bin/vite.js'), ...words], {
    cwd: root,
    encoding: 'utf8',
  })
  if (status !== 0) fail(`${stdout ?? ''}${stderr ?? ''}${error ?? ''}\nThe pages could not be built.`)
  writeFileSync(join(made, '.built-from'), hash)
  if (existsSync(pages)) renameSync(pages, `${pages}.old`)
  renameSync(made, pages)
  rmSync(`${pages}.old`, { recursive: true, force: true })
}

if (!isReady() && claimInstallation()) {
  try {
    // Somebody may have finished between the look and the claim.
    if (!isInstalled()) {
      install()
      writeFileSync(stamp, wanted)
    }
    checkNode()
    if (!arePagesBuilt()) buildPages()
  } finally {
    rmSync(claim, { force: true })
  }
}
// npm puts the packages' Node first on the path; where it is not this one, there is none.
if (Number(process.versions.node.split('.')[0]) < nodeMajorMin) checkNode()
