import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { readWords } from '../../scripts/lib/commandLine.ts'

const root = path.resolve(import.meta.dirname, '../..')

describe('what is typed after a command', () => {
  it('is read, or refused in one line', () => {
    const config = { allowPositionals: true, options: { scale: { type: 'string' } } } as const
    expect(readWords({ ...config, args: ['a', '--scale', '2'] })).toMatchObject({ words: { positionals: ['a'], values: { scale: '2' } } })
    expect(readWords({ ...config, args: ['--scal', '2'] })).toEqual({ refused: "Unknown option '--scal'" })
    expect(readWords({ ...config, args: ['--scale'] })).toEqual({ refused: "Option '--scale <value>' argument missing" })
  })

  it('is read by all of them in this way', () => {
    const files = ['scripts', 'tests/bench'].flatMap((folder) => fs.readdirSync(path.join(root, folder)).filter((name) => /\.(ts|mjs)$/.test(name)).map((name) => path.join(folder, name)))
    expect(files.length).toBeGreaterThan(10)
    expect(files.filter((file) => /\bparseArgs\(/.test(fs.readFileSync(path.join(root, file), 'utf8')))).toEqual([])
  })

  it('goes on when what it says is read no further', async () => {
    const command = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', `
      const { commandLine } = await import('./scripts/lib/commandLine.ts')
      commandLine({}, '')
      for (let line = 0; line < 20_000; line++) console.log('a line')
      setTimeout(() => console.error('done'), 300)`], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
    let said = ''
    command.stderr.setEncoding('utf8').on('data', (text: string) => void (said += text))
    command.stdout.once('data', () => command.stdout.destroy())
    const [code] = await once(command, 'close')
    expect({ code, said }).toEqual({ code: 0, said: 'done\n' })
  }, 60_000)

  it('of pictures of the screens is refused in one line, too, before anything begins', () => {
    const said = (...words: readonly string[]) => spawnSync(process.execPath, ['--import', 'tsx', 'scripts/screenshots.mjs', ...words], { cwd: root, encoding: 'utf8' }).stderr.split('\n')[0]
    expect(said('--x')).toBe("Unknown option '--x'")
    expect(said('localhost')).toBe('Not the address of a server: localhost')
    expect(said('http://127.0.0.1:9')).toBe('No server answers at http://127.0.0.1:9. Start it first: npm start')
  }, 60_000)

  it('as a text is refused with what there is to write, and nothing is written', () => {
    const said = (...words: readonly string[]) => spawnSync(process.execPath, ['--import', 'tsx', 'scripts/messages.ts', ...words], { cwd: root, encoding: 'utf8' }).stderr.split('\n')[0]
    for (const words of [['sett', 'tile.x.y', 'A'], ['set', '', 'A'], ['set', 'tile', 'A'], ['set', 'tile.x.y'], ['set', 'tile.x.y', ' '], ['set', 'tile.x.y', 'A', 'B', 'C', 'D']]) expect(said(...words), words.join()).toBe('npm run messages')
  }, 60_000)

  it('as the name of an administrator without quotes is refused, before anything begins', () => {
    const said = (...words: readonly string[]) => spawnSync(process.execPath, ['--import', 'tsx', 'scripts/create-admin.ts', ...words], { cwd: root, encoding: 'utf8', env: { ...process.env, ADMIN_PASSWORD: 'short' } }).stderr.split('\n')[0]
    for (const name of [['Full', 'Name'], [' '], ['x'.repeat(256)]]) expect(said('name@company.example', ...name)).toBe('Write the full name in quotes: npm run create-admin -- name@company.example "Full Name"')
    expect(said('name@company.example', 'Full Name')).toBe('At least 8 characters.')
  }, 60_000)

  it('a password that everybody knows of the administrator is refused, from a pipe too', () => {
    const said = (word: string) => spawnSync(process.execPath, ['--import', 'tsx', 'scripts/create-admin.ts', 'name@company.example', 'Full Name'], { cwd: root, encoding: 'utf8', input: `${word}\n`, env: withoutPassword() }).stderr.split('\n')[0]
    for (const known of ['full-name-1', 'name@company.example1']) expect(said(known)).toBe('Not your e-mail address, your name or the name of the company.')
  }, 60_000)

  const hasTerminal = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') ?? false
  it.skipIf(!hasTerminal)('a password typed at a terminal is not shown', async () => {
    const run = spawn('script', ['-qec', `${process.execPath} --import tsx scripts/create-admin.ts name@company.example "Full Name"`, '/dev/null'], { cwd: root, env: withoutPassword() })
    let shown = ''
    run.stdout.on('data', (bytes: Buffer) => {
      if (!shown.includes('Password: ') && (shown + bytes.toString()).includes('Password: ')) run.stdin.write('sh0rt\r')
      shown += bytes.toString()
    })
    await once(run, 'close')
    expect(shown.replaceAll('\r', '')).toContain('Password: \nAt least 8 characters.')
    expect(shown).not.toContain('sh0rt')
  }, 60_000)
})

function withoutPassword(): NodeJS.ProcessEnv {
  const { ADMIN_PASSWORD: _given, ...env } = process.env
  return env
}
