/**
 * Runs before `npm start`, `npm run dev` and `npm test`: installs what package-lock.json names and builds the pages in
 * web/, where either is missing or out of date. With `--to-run` it leaves out development dependencies that are not
 * installed yet. Runs on the machine's own Node (18.17 or later), since the packages bring Node 26.
 */
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'

const nodeMajorMin = 26
const runOnly = process.argv.includes('--to-run')
const root = dirname(dirname(fileURLToPath(import.meta.url)))
const modules = join(root, 'node_modules')
const pages = join(root, 'web/dist')
/** A link to the id of the process that installs or builds. Outside node_modules, which `npm ci` deletes. */
const lock = join(root, '.installing')
/** Exists while packages are added to an installation. If it is left behind, some packages may be incomplete. */
const adding = join(modules, '.adding')
const packagedNode = join(modules, '.bin/node')

/** The result of the work, or `otherwise` if it throws (any error, or only the one of that code). */
const attempt = (work, otherwise, code) => {
  try {
    return work()
  } catch (error) {
    if (code && error.code !== code) throw error
    return otherwise
  }
}

const read = (path) => attempt(() => fs.readFileSync(path, 'utf8'), '', 'ENOENT')
const lockText = read(join(root, 'package-lock.json'))
const packages = Object.entries(JSON.parse(lockText).packages)
const locked = packages.filter(([path, { link }]) => path.startsWith('node_modules/') && !link)

/** npm's record of its last installation; empty while npm is writing it. */
const readInstalled = () => attempt(() => JSON.parse(read(join(modules, '.package-lock.json'))).packages, {})

const isInstalled = (toRun = runOnly) => {
  const installed = readInstalled()
  return locked.every(([path, { dev, optional, devOptional, version, integrity }]) => {
    if (toRun && dev) return true
    const found = installed[path]
    // Optional packages are for other platforms.
    return found ? found.version === version && found.integrity === integrity : optional || devOptional
  })
}

/** Adds a file, and the files of src/ that it imports. */
const addWithImports = (files, path) => {
  if (files.has(path) || !fs.statSync(path, { throwIfNoEntry: false })?.isFile()) return
  const content = fs.readFileSync(path)
  files.set(path, content)
  for (const [, imported] of `${content}`.matchAll(/ from '(\.[^']+)'/g)) {
    const target = resolve(dirname(path), imported)
    if (target.startsWith(join(root, 'src/'))) addWithImports(files, target)
  }
}

/** Covers everything that the pages are built from, packages included. */
const hashPages = () => {
  const files = new Map()
  for (const folder of ['web', 'docs'].filter((name) => fs.existsSync(join(root, name)))) {
    for (const path of fs.readdirSync(join(root, folder), { recursive: true })) {
      const isSource = !/^(?:dist|node_modules|decisions|screens)\b|\.test\.ts$/.test(path)
      if (isSource) addWithImports(files, join(root, folder, path))
    }
  }
  const hash = createHash('sha256').update(lockText)
  // oxlint-disable-next-line unicorn/no-array-sort -- Node 18 has no toSorted
  for (const [path, content] of [...files].sort(([one], [other]) => (one < other ? -1 : 1))) {
    hash.update(`\n${relative(root, path)} ${content.length}\n`).update(content)
  }
  return hash.digest('hex')
}

const arePagesBuilt = () => read(join(pages, '.built-from')) === hashPages()
const isReady = () => isInstalled() && arePagesBuilt()

const isAlive = (pid) => attempt(() => attempt(() => process.kill(pid, 0), true, 'EPERM'), false)

/** Resolves to whether this process has the lock; to false once another one has finished the work. */
const acquireLock = async () => {
  const aside = `${lock}.${process.pid}`
  for (;;) {
    if (attempt(() => fs.symlinkSync(`${process.pid}`, lock) ?? true, false, 'EEXIST')) return true
    const holder = attempt(() => fs.readlinkSync(lock))
    if (holder && !isAlive(Number(holder))) {
      // It was killed. Of two processes that notice, the later may move the lock of the earlier, and then restores it.
      attempt(() => fs.renameSync(lock, aside), undefined, 'ENOENT')
      const moved = attempt(() => fs.readlinkSync(aside))
      if (moved && moved !== holder) fs.symlinkSync(moved, lock)
      fs.rmSync(aside, { force: true })
    } else {
      await sleep(200)
      if (isReady()) return false
    }
  }
}

let child
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => (child ? child.kill('SIGTERM') : process.exit(1)))
}

/** Runs a program, with its errors and progress on the terminal, and prints how long it took. */
const run = async (title, file, ...args) => {
  const began = Date.now()
  process.stderr.write(`${title} …\n`)
  child = spawn(file, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  const [code, signal] = await once(child, 'close')
  child = undefined
  const result = code === 0 ? 'done' : `failed (${signal ?? code})`
  process.stderr.write(`${title}: ${result} after ${Math.round((Date.now() - began) / 1000)} s\n`)
  if (code !== 0) process.exit(1)
}

/** Runs npm on its own Node: the one in node_modules may be about to be removed. */
const npm = (title, command, ...options) => {
  const { npm_execpath: path, npm_node_execpath: node = process.execPath } = process.env
  const program = path ? [node, path] : ['npm']
  const quiet = ['--ignore-scripts', '--loglevel=error', '--no-update-notifier']
  return run(title, ...program, command, ...quiet, ...options)
}

const install = async () => {
  // Development dependencies are never removed.
  const isAll = !runOnly || Object.values(readInstalled()).some(({ dev }) => dev)
  // A service may be running on what is installed: it stays in place.
  if (isAll && isInstalled(true) && !fs.existsSync(adding)) {
    fs.writeFileSync(adding, '')
    await npm('Adding what tests and checks need (about 370 MB)', 'install', '--no-save')
    fs.rmSync(adding)
    // If that was not enough, package.json and the lock file disagree, which `npm ci` reports.
    if (isInstalled(false)) return
  }
  if (isAll) await npm('Installing what running and testing need (about 850 MB)', 'ci')
  else await npm('Installing what running needs (about 480 MB)', 'ci', '--omit=dev')
}

/** npm before 11 does not link the program of an optional package that the lock file names without its address. */
const linkNode = () => {
  const programs = locked.flatMap(([path, { bin }]) => (bin?.node ? [join(root, path, bin.node)] : []))
  const program = programs.find((path) => fs.existsSync(path))
  if (!program || fs.existsSync(packagedNode)) return
  fs.mkdirSync(dirname(packagedNode), { recursive: true })
  fs.symlinkSync(relative(dirname(packagedNode), program), packagedNode)
}

/** npm links our own packages; this adds one that is newer than the installation, which is otherwise complete. */
const linkPackages = () => {
  for (const [path, { link, resolved }] of packages) {
    const [from, to] = [join(root, path), join(root, resolved ?? '')]
    if (!link || fs.lstatSync(from, { throwIfNoEntry: false }) || !fs.existsSync(to)) continue
    attempt(() => fs.symlinkSync(relative(dirname(from), to), from), undefined, 'EEXIST')
  }
}

/** The machine's own Node if it is new enough, or else the packages'. */
const findNode = () => {
  if (Number.parseInt(process.versions.node) >= nodeMajorMin) return process.execPath
  if (fs.existsSync(packagedNode)) return packagedNode
  process.stderr.write(
    `Numera needs Node ${nodeMajorMin} or later. npm has no package with one for this machine ` +
      `(${process.platform}-${process.arch}), whose own is ${process.version}: install Node ${nodeMajorMin}, then run this again.\n`,
  )
  return process.exit(1)
}

/** Builds into a new folder, which then replaces the old one: a running service never serves half of the pages. */
const buildPages = async () => {
  for (const suffix of ['new', 'old']) fs.rmSync(`${pages}.${suffix}`, { recursive: true, force: true })
  const hash = hashPages()
  const vite = [join(modules, 'vite/bin/vite.js'), 'build', 'web', '--configLoader', 'native']
  const options = ['--outDir', `${pages}.new`, '--logLevel', 'error']
  await run('Building the pages in web/', findNode(), ...vite, ...options)
  fs.writeFileSync(join(`${pages}.new`, '.built-from'), hash)
  if (fs.existsSync(pages)) fs.renameSync(pages, `${pages}.old`)
  fs.renameSync(`${pages}.new`, pages)
  fs.rmSync(`${pages}.old`, { recursive: true, force: true })
}

if (!isReady() && (await acquireLock())) {
  process.on('exit', () => fs.rmSync(lock, { force: true }))
  // Another process may have finished in the meantime.
  if (!isInstalled()) await install()
  linkNode()
  if (!arePagesBuilt()) await buildPages()
}
linkPackages()
findNode()
