// Plain Node, no dependencies: these steps run before anything is installed.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'

export const root = path.resolve(import.meta.dirname, '../..')

export function requireNode() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major > 20 || (major === 20 && minor >= 19)) return
  console.error(`Arus needs Node 20.19 or newer; this is ${process.versions.node}.`)
  process.exit(1)
}

/** Runs a command with our output; resolves to its exit code. */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd: root, stdio: 'inherit', ...options })
    child.on('error', reject)
    child.on('exit', (code, signal) => resolve(signal ? 1 : (code ?? 1)))
  })
}

/** Like run, but a failure ends the program. */
export async function must(what, command, args, options) {
  const code = await run(command, args, options)
  if (code === 0) return
  console.error(`${what} failed (${[command, ...args].join(' ')}, exit ${code}).`)
  process.exit(code)
}

/** A program from node_modules, run by this Node: no shell, works the same everywhere. */
export function bin(name) {
  return path.join(root, 'node_modules', '.bin', process.platform === 'win32' ? `${name}.cmd` : name)
}

/** Installs the packages of the lock file unless exactly those are there. */
export async function install() {
  const lock = fs.readFileSync(path.join(root, 'package-lock.json'))
  const stamp = path.join(root, 'node_modules', '.arus-lock')
  const wanted = createHash('sha256').update(lock).digest('hex')
  if (fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === wanted) return
  console.log('Installing packages …')
  await must('Installing packages', 'npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { shell: process.platform === 'win32' })
  fs.writeFileSync(stamp, wanted)
}

/** Builds server and client unless nothing they are made of has changed since. */
export async function build() {
  const stamp = path.join(root, 'dist', '.built-from')
  const wanted = contentHash(['schemas', 'src', 'scripts', 'package-lock.json', 'package.json', 'vite.config.ts'])
  if (fs.existsSync(stamp) && fs.readFileSync(stamp, 'utf8') === wanted) return
  // A build that breaks off has emptied what was there.
  fs.rmSync(stamp, { force: true })
  console.log('Building …')
  await must('Generating from the schemas', bin('tsx'), ['scripts/generate.ts'])
  await must('Building the client', bin('vite'), ['build', '--logLevel', 'warn'])
  await must('Building the server', process.execPath, ['scripts/build-server.mjs'])
  fs.writeFileSync(stamp, wanted)
}

function contentHash(places) {
  const hash = createHash('sha256')
  const visit = (file) => {
    const stat = fs.statSync(file)
    if (stat.isDirectory()) {
      if (file.endsWith(path.join('src', 'generated'))) return
      for (const name of fs.readdirSync(file).sort()) visit(path.join(file, name))
    } else {
      hash.update(path.relative(root, file)).update('\0').update(fs.readFileSync(file))
    }
  }
  for (const place of places) visit(path.join(root, place))
  return hash.digest('hex')
}

/** Where a Chromium is, or undefined. Its headless shell first: the same pages for half the work, as nothing is composed for a window. */
export function findChromium() {
  const named = process.env.CHROMIUM_PATH
  if (named && fs.existsSync(named)) return named
  for (const name of ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome', 'chrome']) {
    const found = spawnSync(process.platform === 'win32' ? 'where' : 'which', [name], { encoding: 'utf8' })
    const first = found.status === 0 ? found.stdout.split('\n')[0]?.trim() : ''
    if (first) return first
  }
  const cache = path.join(root, 'node_modules', '.cache', 'browsers')
  if (!fs.existsSync(cache)) return undefined
  const stack = [cache]
  while (stack.length > 0) {
    const folder = stack.pop()
    for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
      const full = path.join(folder, entry.name)
      if (entry.isDirectory()) stack.push(full)
      else if (['chrome-headless-shell', 'chrome-headless-shell.exe', 'headless_shell', 'chrome', 'chrome.exe', 'Chromium'].includes(entry.name)) return full
    }
  }
  return undefined
}

/** Installs a Chromium: from the system's packages where we may, else Playwright's own build into node_modules/.cache. */
export async function installChromium() {
  const isRoot = typeof process.getuid === 'function' && process.getuid() === 0
  if (isRoot && spawnSync('which', ['apt-get']).status === 0) {
    console.log('No Chromium found: installing the system package chromium-headless-shell or chromium (apt-get) for the browser tests …')
    await run('apt-get', ['update', '-qq'])
    for (const name of ['chromium-headless-shell', 'chromium']) {
      if (!findChromium()) await run('apt-get', ['install', '-y', '-qq', name], { env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } })
    }
  }
  if (!findChromium()) {
    console.log("No Chromium found: downloading Playwright's build into node_modules/.cache/browsers for the browser tests …")
    await run(bin('playwright'), ['install', '--only-shell', 'chromium'], {
      env: { ...process.env, PLAYWRIGHT_BROWSERS_PATH: path.join(root, 'node_modules', '.cache', 'browsers') },
    })
  }
  return findChromium()
}
