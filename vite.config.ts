import crypto from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import react from '@vitejs/plugin-react'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'

import { commitOf } from './scripts/lib/commit.mjs'
import { decidedBefore, sameOnBoth } from './scripts/lib/sameOnBoth.mjs'
import { catalogue } from './scripts/vite-plugin-catalogue.ts'
import { leanForms } from './scripts/vite-plugin-lean-forms.ts'
import { prebuilt } from './scripts/vite-plugin-prebuilt.ts'
import { schemaReload } from './scripts/vite-plugin-schemas.ts'

/** A server that has run nothing else: what it keeps of its statements is what these count. */
const freshTests = ['server/trips.test.ts', 'server/named.test.ts']
const once = process.env['TEST_DATABASE'] === 'postgres' ? [...sameOnBoth, ...decidedBefore] : []
const tests = ['**/*.test.ts', '**/*.test.tsx']
const clientTests = 'client/**'
const messages = path.join(import.meta.dirname, 'src/generated/messages')

const serverPort = Number(process.env['PORT'] ?? '4000')

export default defineConfig({
  define: buildNumbers(),
  root: 'src/client',
  publicDir: false,
  plugins: [react(), schemaReload(), catalogue(), developmentPolicy(), serverAwaited(), signInMessages(), leanAxios(), leanForms(), routerWithoutWarnings(), servedRoutesOnly(), generatedFiles(), compiledAhead(), manifestOfSources(), visitsWorker()],
  build: {
    outDir: '../../dist/client',
    emptyOutDir: true,
    target: 'es2023',
    // No inlined assets: the Content-Security-Policy allows files of our own origin only.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
    rolldownOptions: { output: { codeSplitting: { includeDependenciesRecursively: false, groups: chunkGroups() } } },
  },
  server: { proxy: { '/api': { target: `http://127.0.0.1:${serverPort}` } } },
  test: {
    root: import.meta.dirname,
    dir: 'tests',
    exclude: ['e2e/**'],
    maxWorkers: 2,
    experimental: { fsModuleCache: true },
    testTimeout: 60_000,
    hookTimeout: 120_000,
    setupFiles: ['tests/support/setup.ts'],
    // Loaded only where there are tests to put in order: it brings Vitest with it.
    ...(process.env['VITEST'] === undefined ? {} : { sequence: { sequencer: (await import('./tests/support/longestFirst.ts')).LongestFirst } }),
    projects: [
      // Loading what is tested costs more than most tests: their files share it.
      { extends: true, plugins: [prebuilt()], test: { name: 'shared', include: tests, exclude: ['e2e/**', clientTests, ...freshTests, ...once], isolate: false } },
      { extends: true, plugins: [prebuilt()], test: { name: 'fresh', include: freshTests, exclude: once } },
      // These put a browser's storage, cookies and clock in the place of Node's: each file in a thread of its own.
      { extends: true, test: { name: 'client', include: tests.map((name) => `client/${name}`), pool: 'threads' } },
    ],
  },
})

/**
 * In a build each screen and validator is a file of its own under a name made of its id, so that no page loads a list of all of them.
 * They share one hash in the name of their folder: that of everything the client is made of.
 */
function generatedFiles(): Plugin {
  const generated = path.join(import.meta.dirname, 'src/generated')
  const folders = ['screens', 'validators'] as const
  return {
    name: 'generated-files',
    apply: (_, { command, mode }) => command === 'build' && mode !== 'test',
    buildStart() {
      for (const folder of folders) {
        for (const name of fs.readdirSync(path.join(generated, folder)).filter((one) => !one.endsWith('.d.ts'))) {
          this.emitFile({ type: 'chunk', id: path.join(generated, folder, name), fileName: `assets/${folder}-${sourceHash()}/${path.parse(name).name}.js`, preserveSignature: 'strict' })
        }
      }
    },
    load(id) {
      if (!id.endsWith('/src/generated/loaders.js')) return undefined
      // The page's own files lie in one folder, so a path beside this one leads there; a name put together is left alone by the bundler.
      const loader = (name: string, folder: string): string =>
        `export const ${name} = (id) => {\n  const file = './${folder}-${sourceHash()}/' + id + '.js'\n  return import(/* @vite-ignore */ file)\n}\n`
      return loader('importScreen', folders[0]) + loader('importValidation', folders[1])
    },
  }
}

/** React Router ships a build without the warnings for developers, but names only the other one to bundlers. */
function routerWithoutWarnings(): Plugin {
  const folder = path.join(import.meta.dirname, 'node_modules/react-router/dist/production')
  return {
    name: 'router-without-warnings',
    apply: 'build',
    config: () => ({
      resolve: {
        alias: [
          { find: /^react-router$/, replacement: path.join(folder, 'index.mjs') },
          { find: /^react-router\/dom$/, replacement: path.join(folder, 'dom-export.mjs') },
        ],
      },
    }),
  }
}

let knownHash: string | undefined

function sourceHash(): string {
  if (knownHash !== undefined) return knownHash
  const hash = crypto.createHash('sha256')
  const add = (file: string): void => void hash.update(file).update(fs.readFileSync(path.join(import.meta.dirname, file)))
  for (const file of ['package-lock.json', 'vite.config.ts']) add(file)
  for (const folder of ['src/base', 'src/meta', 'src/domain', 'src/api', 'src/client', 'src/generated']) {
    for (const name of fs.readdirSync(path.join(import.meta.dirname, folder), { recursive: true, encoding: 'utf8' }).sort()) {
      if (/\.(ts|tsx|js|json|css|html)$/.test(name)) add(path.join(folder, name))
    }
  }
  return (knownHash = hash.digest('base64url').slice(0, 8))
}

/** What src/client/app/build.ts tells. */
function buildNumbers(): Record<string, string> {
  const { version } = JSON.parse(fs.readFileSync(path.join(import.meta.dirname, 'package.json'), 'utf8')) as { readonly version: string }
  return { __ARUS_VERSION__: JSON.stringify(version), __ARUS_COMMIT__: JSON.stringify(commitOf(import.meta.dirname)) }
}

/** Development under the same policy as production: no eval. Vite's own inline script and styles carry a nonce. */
function developmentPolicy(): Plugin {
  const nonce = 'arus-development'
  return {
    name: 'development-policy',
    apply: (_, { command }) => command === 'serve' && process.env['VITEST'] === undefined,
    config: () => ({
      html: { cspNonce: nonce },
      server: {
        headers: {
          'content-security-policy': `default-src 'self'; script-src 'self' 'nonce-${nonce}'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data: blob:; connect-src 'self' ws:; object-src 'none'; base-uri 'self'; frame-ancestors 'none'`,
        },
      },
    }),
  }
}

/** The server of development starts anew with every change: calls wait for it meanwhile, instead of telling the page that it cannot be reached. */
function serverAwaited(): Plugin {
  const patienceMs = 20_000
  const answers = (): Promise<boolean> => fetch(`http://127.0.0.1:${serverPort}/api/v1/health`).then(({ ok }) => ok, () => false)
  return {
    name: 'server-awaited',
    apply: 'serve',
    configureServer({ middlewares }) {
      middlewares.use('/api', (_request, _response, next) => {
        const until = Date.now() + patienceMs
        const look = async (): Promise<void> => {
          if ((await answers()) || Date.now() > until) next()
          else setTimeout(() => void look(), 100)
        }
        void look()
      })
    },
  }
}

/** A few files instead of a hundred small ones: what signs in, what frames every page, what shows tables. Everything else is loaded when asked for. */
function chunkGroups(): { name: string; test: RegExp }[] {
  const modules = (...names: readonly string[]) => `/node_modules/(${names.join('|')})/`
  const client = (folder: string, ...names: readonly string[]) => `/src/client/${folder}/(${names.join('|')})\\.`
  const any = (...sources: readonly string[]) => new RegExp(sources.join('|').replaceAll('/', '[\\\\/]'))
  return [
    {
      name: 'base',
      test: any(
        modules('react', 'react-dom', 'scheduler', 'axios', 'jotai'),
        // What the bundler itself adds, and where the texts lie.
        'vite/preload-helper',
        '/src/client/(ui/tokens|app/overlay)\\.css',
        '/src/generated/messages/',
        '/src/(base/result|meta/sentence|api/problems|api/firstAnswers)\\.',
        client('data', 'http', 'connection', 'cookies', 'firstAnswers', 'kept', 'lastAnswers', 'leaving', 'session', 'notice'),
        client('app', 'build', 'chunks', 'constants', 'earlyKeys', 'messages', 'overlay', 'returning', 'theme', 'toasts'),
        client('ui', 'Button', 'Icon', 'Logo', 'Field', 'classes', 'pointer', 'words', 'input'),
      ),
    },
    {
      name: 'shell',
      test: any(
        modules('react-router', 'react-router-dom'),
        // What only some pages need comes with them.
        '/src/(base|meta|client/data)/(?!amount|authoring|check|compute|formGrids|numberRules|validatorRuntime|day\\.|placeLink|renames|resolved|aboutRecord|account|approvals|profile|changeViews|comments|dashboards|files|sealedStore|secretBox|typed|useTyped|unseen)',
        '/src/api/(menuAccess|export)\\.',
        '/src/generated/(routes|loaders)\\.',
        '/src/client/app/(?!documents|Family|Obstacles|useScreens|signIn|Toaster|TermsDialog|PasswordAlert|SessionEndBar|passwordStrength|unseenMarks)',
        client('ui', 'Popover', 'Menu', 'AnchoredMenu', 'States', 'Tabs', 'Badge', 'headWidth', 'useKeys', 'useMedia'),
      ),
    },
    {
      // Inputs of forms, of filters and of the cells of a line grid.
      name: 'entry',
      test: any(
        modules('big\\.js'),
        '/src/base/(numberRules|validatorRuntime)\\.',
        client('form', 'DateInput', 'TextEntry', 'Lookup', 'lookupClient', 'OptionList', 'entry', 'quietTyping', 'fills', 'same', 'storage', 'message', 'problems', 'check'),
        client('ui', 'Dialog'),
        client('grid', 'tsv'),
      ),
    },
    {
      name: 'form',
      test: any(
        modules('@rjsf', '@x0k', 'fast-equals', 'jsonpointer', 'lodash', 'lodash-es', 'react-is'),
        // What stands in the place of parts of rjsf.
        '\0rjsf-',
        '/src/meta/(compute|formGrids)',
        '/src/client/form/(?!AdjustBar|adjust|Calendar\\.|clash|Conflict|Discard|duplicate|FilesPart|FormPanel|late\\.|LeaveGuard|LineSums|LineTrace|LookupDialog|merge|monthNames|PickBar|pick\\.|ProposedChanges|ReadFile|replaceLines|suggestions|utc|Warnings|widgets/)',
        client('grid', '(?!CellFile|KeyBox|Paste|paste)[A-Za-z]+'),
        client('pages', 'FormPage'),
        client('slots', 'slots'),
        client('ui', 'ConfirmDialog'),
      ),
    },
    {
      name: 'table',
      test: any(
        // What a list needs at first; what opens later comes when it opens.
        '/src/client/table/(?!ActionDialog|Bulk|CardList|CardTotals|cellRange|ColumnPanel|copy|FieldMenu|FilterEditor|fitWidth|gather|Grouped|groupMembers|GroupPanel|HeadMenu|inOrder|KeyHelp|LineQuantities|Ordered|ParamInput|perform|PreviewPanel|PrintNote|printing|restricted|SaveViewForm|selectMatching|TurnRound|useGroup|ViewRow|ViewsPanel|VirtualBody|WarningsDialog|wayBack)',
        '/src/api/(view|list)',
        client('export', 'ExportButton', 'exportBody'),
        client('pages', 'ListView', 'ListBody', 'ListPage', 'lookOf'),
        client('ui', 'Page'),
      ),
    },
  ]
}

/**
 * About half of what these files hold runs while the first page is drawn (base 53 %, table 50 %, shell 35 % of the functions' text). Told that all of it does, the browser compiles
 * it beside the page, while it arrives, instead of one after another when each is called for the first time: without, the first list took longer.
 */
function compiledAhead(): Plugin {
  return {
    name: 'compiled-ahead',
    generateBundle: {
      // Only the first line of a file is asked.
      order: 'post',
      handler(_, bundle) {
        for (const file of Object.values(bundle)) {
          if (file.type === 'chunk' && chunkGroups().some(({ name }) => name === file.name)) file.code = `//# allFunctionsCalledOnLoad\n${file.code}`
        }
      },
    },
  }
}

/** A source imported only when it is needed has no file of its own where it lies in a larger one: the manifest names that file under the source too. */
function manifestOfSources(): Plugin {
  return {
    name: 'manifest-of-sources',
    apply: 'build',
    writeBundle({ dir }, bundle) {
      const file = path.join(dir ?? '', '.vite', 'manifest.json')
      const manifest = JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, { readonly file: string }>
      const byFile = new Map(Object.values(manifest).map((entry) => [entry.file, entry]))
      for (const chunk of Object.values(bundle)) {
        const entry = byFile.get(chunk.fileName)
        if (chunk.type !== 'chunk' || entry === undefined) continue
        for (const id of chunk.moduleIds) {
          if ((this.getModuleInfo(id)?.dynamicImporters.length ?? 0) > 0) manifest[path.relative(path.join(import.meta.dirname, 'src/client'), id)] ??= entry
        }
      }
      fs.writeFileSync(file, JSON.stringify(manifest, undefined, 2))
    },
  }
}

/** The worker of the salesman's page lies at the top, under one name: only there may it answer for a page. */
function visitsWorker(): Plugin {
  return {
    name: 'visits-worker',
    apply: (_, { command, mode }) => command === 'build' && mode !== 'test',
    buildStart() {
      this.emitFile({ type: 'chunk', id: path.join(import.meta.dirname, 'src/client/visits/worker.ts'), fileName: 'visits-worker.js' })
    },
  }
}

/** `virtual:sign-in-messages`: the few texts of the sign-in page in every language, so that it loads no catalogue. */
function signInMessages(): Plugin {
  const id = 'virtual:sign-in-messages'
  return {
    name: 'sign-in-messages',
    resolveId: (source) => (source === id ? `\0${id}` : undefined),
    load(source) {
      if (source !== `\0${id}`) return undefined
      const catalogues = fs.readdirSync(messages).map((file) => {
        this.addWatchFile(path.join(messages, file))
        const texts = JSON.parse(fs.readFileSync(path.join(messages, file), 'utf8')) as Record<string, string>
        const wanted = Object.entries(texts).filter(([key]) => /^(ui\.(sign-in\.|unreachable$|close$|cancel$|retry$|more$|loading$)|problem\.(LOGIN_FAILED|ACCOUNT_LOCKED|TOO_MANY_REQUESTS\.seconds|SERVICE_UNAVAILABLE))/.test(key))
        return [path.basename(file, '.json'), Object.fromEntries(wanted)]
      })
      return `export const signInMessages = ${JSON.stringify(Object.fromEntries(catalogues))}`
    },
  }
}

/** axios is used over XMLHttpRequest: its fetch adapter stays out, as its own package leaves the Node adapter out of browsers; so do its names of status codes, its first way of calling a request off, and what would make JSON of a form: nobody asks for them. */
function leanAxios(): Plugin {
  const none = 'export default undefined'
  const without: Readonly<Record<string, string>> = {
    './fetch.js': 'export const getFetch = undefined',
    './helpers/HttpStatusCode.js': none,
    './cancel/CancelToken.js': none,
    // A form is sent as what it is, never as JSON.
    './helpers/formDataToJSON.js': none,
    '../helpers/formDataToJSON.js': none,
  }
  return {
    name: 'lean-axios',
    enforce: 'pre',
    resolveId: (source, importer) => (importer?.includes('/axios/lib/') === true && source in without ? `\0axios:${source}` : undefined),
    load: (id) => (id.startsWith('\0axios:') ? without[id.slice('\0axios:'.length)] : undefined),
  }
}

/** A path that nothing serves is the not-found page whether the client knows it or not. */
function servedRoutesOnly(): Plugin {
  return {
    name: 'served-routes-only',
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith('src/generated/routes.ts')) return undefined
      return code
        .split('\n')
        .filter((line) => !line.trimStart().startsWith('{"path"') || /"(screen|page|redirect)":/.test(line))
        .join('\n')
    },
  }
}
