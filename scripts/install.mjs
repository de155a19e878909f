/**
 * Runs before `npm start`, `npm run dev` and `npm test`: installs what package-lock.json names and builds the pages in
 * web/, unless that was done already. With `--to-run` it does without the development dependencies, which only tests
 * and checks need; those that are there stay. Written for the machine's own Node, which may be an old one (18 or
 * later); Node 26 is among the packages.
 */
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

const nodeMajorMin = 26
const pollMs = 200
const second = 1_000
/** How often a step that goes on says so where its words are kept, as in a log; on a terminal it is every second. */
const loggedEveryS = 10

const runOnly = process.argv.includes('--to-run')
const root = dirname(dirname(fileURLToPath(import.meta.url)))
const modules = join(root, 'node_modules')
/** Hold the hash of the lock file that was installed: all of it, or what running needs. */
const stamp = join(modules, '.installed')
const runStamp = join(modules, '.installed-to-run')
/** Is there while packages are added to those that run. Where that was cut short, some may be half there. */
const adding = join(modules, '.adding')
/** Where npm notes what it put there. */
const hiddenLock = join(modules, '.package-lock.json')
const web = join(root, 'web')
/** The Markdown of the documents, which are pages too. */
const documents = join(root, 'docs')
const pages = join(web, 'dist')
/** Holds the hash of what the pages were built from; goes with them. */
const pagesStamp = join(pages, '.built-from')
/** Outside node_modules, which an installation empties first. */
const claim = join(root, '.installing')

const lockText = readFileSync(join(root, 'package-lock.json'), 'utf8')
const wanted = createHash('sha256').update(lockText).digest('hex')
const locked = Object.entries(JSON.parse(lockText).packages).filter(
  ([path, { link }]) => path.startsWith('node_modules/') && !link,
)

const read = (path) => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

/** What npm put into node_modules, as it noted it; undefined where it finished nothing. */
const readInstalled = () => {
  try {
    return JSON.parse(read(hiddenLock)).packages
  } catch {
    // There is none, or npm is writing it.
    return undefined
  }
}

/**
 * Whether node_modules has exactly what the lock file names, whoever installed it.
 *
 * @param toRun whether what running needs is enough
 */
const hasPackages = (toRun) => {
  const installed = readInstalled()
  if (!installed) return false
  return locked.every(([path, entry]) => {
    if (toRun && entry.dev) return true
    // Optional ones are for other platforms, where they are missing.
    if (!installed[path]) return entry.optional || entry.devOptional
    return installed[path].integrity === entry.integrity && installed[path].version === entry.version
  })
}

/** Whether it was stamped, and npm has not changed node_modules since. */
const isStamped = (path) =>
  read(path) === wanted && (!existsSync(hiddenLock) || statSync(hiddenLock).mtimeMs <= statSync(path).mtimeMs)

const isInstalled = () => {
  if (isStamped(stamp) || (runOnly && isStamped(runStamp))) return true
  if (!hasPackages(runOnly) || (!runOnly && existsSync(adding))) return false
  writeFileSync(runOnly ? runStamp : stamp, wanted)
  return true
}

/** What of a folder is no part of the pages. */
const leftOut = new Map([
  [web, /^(?:dist.*|node_modules)$/],
  [documents, /^(?:decisions|screens)$/],
])

/** Rules of the service that the pages follow too. */
const shared = [join(root, 'src', 'csv', 'spreadsheet-text.ts')].filter(existsSync)

/** Every file of a folder that the pages are built from, by name. */
const sourcesOf = (folder) =>
  readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => !leftOut.get(folder)?.test(name))
    .flatMap((entry) =>
      entry.isDirectory() ? sourcesOf(join(folder, entry.name)) : [join(folder, entry.name)],
    )
    // oxlint-disable-next-line unicorn/no-array-sort -- Node 18 has no toSorted
    .sort()

/** Of all that the pages are built from, packages included. */
const hashPages = () => {
  const hash = createHash('sha256').update(wanted)
  for (const path of [...[web, documents].filter(existsSync).flatMap(sourcesOf), ...shared]) {
    const content = readFileSync(path)
    hash.update(`\n${relative(root, path)} ${content.length}\n`).update(content)
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
  throw new Error(message)
}

const isTerminal = process.stderr.isTTY === true

/** Says what is done, for how long it has been, and how long it took. */
const timed = async (what, work, progress = () => '') => {
  const began = Date.now()
  const elapsed = () => `${Math.round((Date.now() - began) / second)} s`
  const show = () => {
    const text = `${what} … ${elapsed()}${progress()}`
    process.stderr.write(isTerminal ? `\r\x1b[K${text}` : `${text}\n`)
  }
  process.stderr.write(isTerminal ? `${what} …` : `${what} …\n`)
  const timer = setInterval(show, (isTerminal ? 1 : loggedEveryS) * second)
  let end = 'failed'
  try {
    await work()
    end = 'done'
  } finally {
    clearInterval(timer)
    process.stderr.write(`${isTerminal ? '\r\x1b[K' : ''}${what}: ${end} after ${elapsed()}\n`)
  }
}

/** Runs a program, which ends when this one is told to. What it said is in the error where it fails. */
const run = (file, words, failure) =>
  new Promise((resolve, reject) => {
    const child = spawn(file, words, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    const stop = () => child.kill('SIGTERM')
    const signals = ['SIGINT', 'SIGTERM', 'SIGHUP']
    for (const signal of signals) process.on(signal, stop)
    let said = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8')
      stream.on('data', (chunk) => (said += chunk))
    }
    const end = (error) => {
      for (const signal of signals) process.off(signal, stop)
      if (error === undefined) resolve()
      else reject(new Error(`${said}${error}\n${failure}`))
    }
    child.on('error', end)
    child.on('close', (status, signal) =>
      end(status === 0 ? undefined : signal ? `It was ended: ${signal}.` : ''),
    )
  })

const npm = (command, ...options) => {
  const path = process.env['npm_execpath']
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error']
  const args = [command, ...quiet, ...options]
  // npm's own Node, not the one in node_modules, which may be about to be removed.
  const [file, ...words] = path
    ? [process.env['npm_node_execpath'] ?? process.execPath, path, ...args]
    : ['npm', ...args]
  return run(file, words, `npm ${command} failed; nothing runs without its packages.`)
}

const countPackages = () => {
  const count = locked.filter(([path]) => existsSync(join(root, path, 'package.json'))).length
  return `, ${count} packages`
}

const install = async () => {
  // What tests need is never taken away; where it was there, it is brought up to date too.
  const isAll = !runOnly || Object.values(readInstalled() ?? {}).some(({ dev }) => dev)
  // What runs may be running: it stays in place while the rest is added.
  if (isAll && hasPackages(true) && !existsSync(adding)) {
    writeFileSync(adding, '')
    await timed(
      'Adding what tests and checks need (about 370 MB)',
      () => npm('install', '--no-save'),
      countPackages,
    )
    rmSync(adding)
    // Otherwise package.json and the lock file disagree, which `npm ci` tells.
    if (hasPackages(false)) return writeFileSync(stamp, wanted)
  }
  await (isAll
    ? timed('Installing what running and testing need (about 850 MB)', () => npm('ci'), countPackages)
    : timed('Installing what running needs (about 480 MB)', () => npm('ci', '--omit=dev'), countPackages))
  writeFileSync(isAll ? stamp : runStamp, wanted)
}

const packagedNode = join(modules, '.bin/node')

/** npm before 11 does not link the program of an optional package that the lock file names without its address. */
const linkNode = () => {
  const found = locked.find(([path, { bin }]) => bin?.node && existsSync(join(root, path, bin.node)))
  if (!found || existsSync(packagedNode)) return
  const [path, { bin }] = found
  mkdirSync(dirname(packagedNode), { recursive: true })
  symlinkSync(relative(dirname(packagedNode), join(root, path, bin.node)), packagedNode)
}

/** Node 26 comes from the package for this platform; where there is none, the machine's own must do. */
const checkNode = () => {
  linkNode()
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
const buildPages = async () => {
  for (const name of readdirSync(web)) {
    // Left by a build that was killed.
    if (name.startsWith('dist.')) rmSync(join(web, name), { recursive: true, force: true })
  }
  const made = `${pages}.new`
  const hash = hashPages()
  const words = ['build', web, '--configLoader', 'native', '--outDir', made, '--logLevel', 'warn']
  const node = existsSync(packagedNode) ? packagedNode : process.execPath
  await run(node, [join(modules, 'vite/bin/vite.js'), ...words], 'The pages could not be built.')
  writeFileSync(join(made, '.built-from'), hash)
  if (existsSync(pages)) renameSync(pages, `${pages}.old`)
  renameSync(made, pages)
  rmSync(`${pages}.old`, { recursive: true, force: true })
}

try {
  if (!isReady() && claimInstallation()) {
    try {
      // Somebody may have finished between the look and the claim.
      if (!isInstalled()) await install()
      checkNode()
      if (!arePagesBuilt()) await timed('Building the pages in web/', buildPages)
    } finally {
      rmSync(claim, { force: true })
    }
  }
  // npm puts the packages' Node first on the path; where it is not this one, there is none.
  if (Number(process.versions.node.split('.')[0]) < nodeMajorMin) checkNode()
} catch (error) {
  process.stderr.write(`${error.message}\n`)
  process.exitCode = 1
}
