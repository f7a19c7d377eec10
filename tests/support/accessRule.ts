import { metadata } from '#generated/metadata.ts'
import type { Route } from '#meta/resolved.ts'
import type { DescribedCall } from './calls.ts'

/**
 * The rule of the specification, said by the tests for themselves: a route is open when the menu holds its parent and url; what is behind a screen
 * asks for an open route that shows it, and for the permission. Read from the schema files, not from the server.
 */
export interface Holder {
  readonly guards: ReadonlySet<string>
  /** `parent url` of the menu entries. */
  readonly menu: ReadonlySet<string>
}

/** Words such as `list sales_order`, `read invoice`, `write customer`, `move invoice`, `run bill-deliveries`, `decide sales_order`, `show ar-aging.report`, `choose item`. */
type Asked = ReadonlySet<string>

const asked = new Map<string, Asked>(metadata.routes.filter(isServed).map((route) => [route.path, askedBy(route)]))
const everything = union([...asked.values()])

function isServed(route: Route): boolean {
  return route.screen !== undefined || route.page !== undefined
}

export function isRouteOpen({ guard }: Pick<Route, 'guard'>, menu: ReadonlySet<string>): boolean {
  return guard === undefined || guard === 'always' || menu.has(`${guard.parent} ${guard.url}`)
}

function openWords({ guards, menu }: Holder): Asked {
  const open = metadata.routes.filter(isServed).filter((route) => {
    const permission = route.permission ?? metadata.screens[route.screen ?? '']?.guard ?? ''
    return isRouteOpen(route, menu) && (permission === '' || guards.has(permission))
  })
  return union(open.map((route) => asked.get(route.path) ?? new Set()))
}

type Json = Readonly<Record<string, unknown>>

function askedBy(route: Route): Asked {
  const words = new Set<string>()
  for (const entity of route.reads ?? []) words.add(`read ${entity}`)
  for (const command of route.runs ?? []) run(command)
  visit(route.screen)
  return words

  function run(name: string): void {
    words.add(`run ${name}`)
    const command = metadata.commands[name]
    if (command && command.rows !== 'none') words.add('choose reason')
    for (const field of command?.params ?? []) if (field.entity !== undefined) words.add(`choose ${field.entity}`)
  }

  function visit(id: unknown): void {
    const screen = typeof id === 'string' ? metadata.screens[id] : undefined
    if (!screen || words.has(`show ${screen.id}`)) return
    words.add(`show ${screen.id}`)
    if (screen.kind === 'list') words.add(`list ${screen.entity}`)
    if (screen.kind === 'list' && screen.order !== undefined) run(screen.order.command)
    if (screen.kind === 'import') {
      for (const { records } of screen.sheets) for (const { entity, lines } of records) if (lines === undefined) words.add(`write ${entity}`)
    }
    if (screen.kind === 'form') words.add(`read ${screen.entity}`).add(`write ${screen.entity}`)
    if (screen.kind === 'detail') words.add(`read ${screen.entity}`)
    if (screen.kind === 'approval') words.add(`decide ${screen.docType}`).add('choose reason')
    if (screen.kind === 'detail' || screen.kind === 'form') {
      for (const transition of metadata.workflows[screen.entity]?.transitions ?? []) {
        const isOffered = screen.kind === 'detail' ? !transition.system : screen.transitions.includes(transition.action)
        if (isOffered) words.add(`move ${screen.entity}`)
        if (isOffered) walk(transition, { ...screen }, 'transition')
      }
    }
    walk(screen, { ...screen }, '')
  }

  function walk(part: unknown, screen: Json, under: string): void {
    if (Array.isArray(part)) for (const one of part) walk(one, screen, under)
    if (typeof part !== 'object' || part === null || Array.isArray(part)) return
    const node: Json = { ...part }
    for (const key of ['panel', 'screen', 'peek', 'edit', 'importer', 'closed']) if (screen['kind'] !== 'dashboard') visit(node[key])
    const does: Json = typeof node['does'] === 'object' && node['does'] !== null ? { ...node['does'] } : {}
    if (does['kind'] === 'transition' && does['isUpkeep'] !== true) words.add(`move ${String(screen['entity'])}`)
    if (does['kind'] === 'command') run(String(does['command']))
    if (typeof node['compute'] === 'string') run(node['compute'])
    if (node['reason'] === 'required' || node['reason'] === 'optional') words.add('choose reason')
    if (node['type'] === 'ref' && typeof node['entity'] === 'string' && isChosen(node, screen, under)) words.add(`choose ${node['entity']}`)
    // A text that is the code of a record is chosen among those of each entity it may be of.
    const { of = {} }: Json = typeof node['records'] === 'object' && node['records'] !== null && screen['kind'] === 'form' && node['readOnly'] === false ? { ...node['records'] } : {}
    for (const entity of Object.values({ ...(of as object) })) words.add(`choose ${String(entity)}`)
    for (const [key, value] of Object.entries(node)) walk(value, screen, key)
  }
}

/** Does somebody pick a record for this reference? In filters and dialogs always, in columns that can be filtered, in inputs. */
function isChosen(field: Json, screen: Json, under: string): boolean {
  if (String(field['name']).includes('.')) return false
  if (under === 'filters' || under === 'parameters' || under === 'params') return screen['kind'] !== 'dashboard'
  if (screen['kind'] === 'list') return under === 'columns' && field['filterable'] === true
  if (screen['kind'] === 'import') return under === 'columns'
  return screen['kind'] === 'form' && (under === 'fields' || under === 'columns') && field['readOnly'] === false
}

function union(sets: readonly Asked[]): Asked {
  return new Set(sets.flatMap((set) => [...set]))
}

export type Verdict = 'allowed' | 'refused'

/** What calls must be answered for somebody; undefined: the rule knows no such call, and the test that asks has to. */
export function verdictsFor(holder: Holder): (call: Pick<DescribedCall, 'method' | 'path'>) => Verdict | undefined {
  const open = openWords(holder)
  return (call) => {
    const test = ruleOf(call, holder, open)
    return test === undefined ? undefined : test ? 'allowed' : 'refused'
  }
}

const signedIn = [
  /^(POST|GET|PUT|DELETE) \/api\/v1\/(logout|menu|permission|profile(\/.*)?|setting\/(user-personal|tos)|home(\/counts|\/starred)?|search|notifications(\/.*)?|view(\/\{id\})?|report-schedule(\/people|\/\{id\}(\/send)?)?|delegation(\/people|\/\{id\}\/end)?)$/,
  /^GET \/api\/v1\/(approval\/mine|approval\/request\/\{requestId\}|master\/operating-unit-with-territory\/personal|dashboard\/.*)$/,
  /^POST \/api\/v1\/approval\/(bulk|\{requestId\})\/\w+$/,
  /^(GET|POST|PUT) \/api\/v1\/import-batch\/\{id\}(\/\w+)?$/,
  /^(POST|GET) \/api\/v1\/(export(\/job(\/.*)?)?|general\/(download|preview|upload))$/,
]

function ruleOf({ method, path }: Pick<DescribedCall, 'method' | 'path'>, holder: Holder, open: Asked): boolean | undefined {
  const has = (guard: string): boolean => holder.guards.has(guard)
  /** Behind open screens, or behind none at all. */
  const shown = (...words: readonly string[]): boolean => words.some((word) => open.has(word)) || !words.some((word) => everything.has(word))
  const role = (...guards: readonly string[]): boolean => guards.some(has)
  const line = `${method} ${path}`
  if (signedIn.some((pattern) => pattern.test(line))) return true
  // A trial and a patch are for those the draft names; others find nothing.
  if (/^\w+ \/api\/v1\/studio\/(trial\/.*|proposal\/\{id\}\/patch)$/.test(line)) return true
  if (line === 'GET /api/v1/studio/proposal') return has('studio-approve') && holder.menu.has('Reports /studio/proposals')
  if (/^\w+ \/api\/v1\/studio\//.test(line)) return has('studio-create') && holder.menu.has('Reports /studio')
  const named: Readonly<Record<string, () => boolean>> = {
    'GET /api/v1/role/{id}/guards': () => has('role-view') && (open.has('show role.list') || open.has('show role.form')),
    'PUT /api/v1/role/{id}/guards': () => has('role-edit') && open.has('show role.form'),
    'GET /api/v1/role/{id}/menus': () => role('role-view', 'role-menu-view') && ['role.list', 'role.form', 'role-menu.list', 'role-menu.form'].some((id) => open.has(`show ${id}`)),
    'PUT /api/v1/role/{id}/menus': () => has('role-menu-edit') && open.has('show role-menu.form'),
    'PUT /api/v1/legal/{kind}': () => has('legal-text-create'),
    'GET /api/v1/master/customer/options': () => mayChoose('customer'),
    'GET /api/v1/payment/customer': () => mayChoose('customer'),
    'GET /api/v1/master/customer-address/ship-to': () => mayChoose('customer'),
    'GET /api/v1/customer-accounts': () => mayChoose('customer'),
    'GET /api/v1/payment/reason-outstanding': () => mayChoose('reason'),
    'GET /api/v1/cash-bank/form-bank/{id}': () => mayChoose('house_bank'),
    'GET /api/v1/invoice/for-options': () => mayPay() || may('invoice', 'view'),
    'POST /api/v1/invoice/for-options': () => mayPay() || may('invoice', 'view'),
    'GET /api/v1/payment/validate/code-invoice': () => mayPay() || may('invoice', 'view'),
    'POST /api/v1/payment/validate/code-invoice': () => mayPay() || may('invoice', 'view'),
    'GET /api/v1/payment/credit-note/list': () => mayPay() || may('credit_note', 'view'),
    'GET /api/v1/payment/cust-deposit/list': () => mayPay() || may('customer_deposit', 'view'),
  }
  const own = named[line]
  if (own) return own()

  const [, entityId] = /^\/api\/v1\/lookup\/(\w+)(?:\/resolve)?$/.exec(path) ?? []
  if (entityId !== undefined) return mayChoose(entityId)
  const [, commandName] = /^\/api\/v1\/command\/([\w-]+)$/.exec(path) ?? []
  if (commandName !== undefined) return has(metadata.commands[commandName]?.guard ?? '') && shown(`run ${commandName}`)
  const [, reportId] = /^\/api\/v1\/report\/([\w.-]+)(?:\/summary)?$/.exec(path) ?? []
  if (reportId !== undefined) {
    const screen = metadata.screens[reportId]
    return screen?.kind === 'report' && has(screen.guard) && has(metadata.datasets[screen.dataset]?.guard ?? '') && open.has(`show ${reportId}`)
  }
  const [, importId, importRest] = /^\/api\/v1\/import\/([\w.-]+?)(\/template)?$/.exec(path) ?? []
  const importScreen = importId === undefined ? undefined : metadata.screens[importId]
  if (importScreen?.kind === 'import') {
    const isSeen = has(importScreen.guard) && open.has(`show ${importScreen.id}`)
    return isSeen && (method === 'GET' || importRest !== undefined || may(importScreen.sheets[0]?.records[0]?.entity ?? '', importScreen.sheets[0]?.update === undefined ? 'create' : 'edit'))
  }
  const [, formId] = /^\/api\/v1\/form\/([\w.-]+)\/file$/.exec(path) ?? []
  if (formId !== undefined) return has(metadata.screens[formId]?.guard ?? '') && open.has(`show ${formId}`)
  if (/^\/api\/v1\/ocr\/\{id\}(\/page\/\{page\})?$/.test(path)) return may('vendor_invoice_ocr', 'view')
  if (path === '/api/v1/ocr/{id}/stop') return may('vendor_invoice_ocr', 'edit')
  if (path === '/api/v1/payment-file/{id}') return may('payment_file', 'view')
  if (path === '/api/v1/withholding-slips/{id}') return may('withholding_month', 'list')
  if (path === '/api/v1/tax-invoice-xml/{id}') return may('tax_invoice_batch', 'view') && may('tax_invoice', 'list')
  const [, docType, transition] = /^\/api\/v1\/approval\/(\w+)\/(\w+)$/.exec(path) ?? []
  if (docType !== undefined && method === 'GET') {
    return Object.values(metadata.screens).some((screen) => screen.kind === 'approval' && screen.docType === docType && screen.transition === transition && has(screen.guard) && open.has(`show ${screen.id}`))
  }
  const [, resource = '', rest = ''] = /^\/api\/v1\/data\/([\w-]+)(\/.*)?$/.exec(path) ?? []
  const id = metadata.entityByResource[resource]
  if (id === undefined) return undefined
  if (rest === '') return method === 'GET' ? may(id, 'list') : may(id, 'create')
  if (/^\/(groups|counts|selection)$/.test(rest)) return may(id, 'list')
  if (rest === '/{id}') return may(id, method === 'GET' ? 'view' : method === 'PUT' ? 'edit' : 'delete')
  if (rest === '/{id}/around') return may(id, 'list')
  if (/^\/\{id\}\/(history|flow|journal|actions|attachments|comments|people|counts)/.test(rest)) return may(id, 'view')
  const [, upkeep] = /^\/bulk\/(activate|deactivate|delete)$/.exec(rest) ?? []
  if (upkeep !== undefined && metadata.entities[id]?.base === 'master') return may(id, upkeep === 'delete' ? 'delete' : 'edit')
  const [, action] = /^\/(?:\{id\}|bulk)\/(\w[\w-]*)$/.exec(rest) ?? []
  const transitions = (metadata.workflows[id]?.transitions ?? []).filter((transition) => transition.action === action && !transition.system)
  return transitions.length === 0 ? undefined : transitions.some((transition) => has(transition.guard)) && shown(`move ${id}`)

  function may(entityIdAsked: string, what: 'list' | 'view' | 'create' | 'edit' | 'delete'): boolean {
    // Starred pages are everybody's own.
    if (entityIdAsked === 'starred_page') return true
    const entity = metadata.entities[entityIdAsked]
    if (!entity) return false
    const above = metadata.entities[entity.parent ?? entity.fields.find((field) => field.name === entity.owner)?.entity ?? '']
    const action = what === 'list' ? 'view' : what
    const guards = [`${entity.resource}-${action}`, ...(above ? [`${above.resource}-${action === 'create' || action === 'delete' ? 'edit' : action}`] : [])]
    // One record is shown with the one it belongs to as well.
    return (guards.some(has) && isBehindOpen(entityIdAsked, what)) || (what === 'view' && above !== undefined && may(above.id, 'view'))
  }

  function isBehindOpen(entityIdAsked: string, what: 'list' | 'view' | 'create' | 'edit' | 'delete'): boolean {
    const entity = metadata.entities[entityIdAsked]
    const above = entity?.parent ?? entity?.fields.find((field) => field.name === entity.owner)?.entity
    const [list, read, write] = [`list ${entityIdAsked}`, `read ${entityIdAsked}`, `write ${entityIdAsked}`]
    const first = what === 'list' ? [list] : what === 'view' ? [list, read] : [write]
    for (const words of [first, [list, read]]) if (words.some((word) => everything.has(word))) return words.some((word) => open.has(word))
    return above === undefined || isBehindOpen(above, what)
  }

  function mayChoose(entityIdAsked: string): boolean {
    return open.has(`choose ${entityIdAsked}`) || may(entityIdAsked, 'view')
  }

  function mayPay(): boolean {
    return may('ar_payment', 'create') || may('ar_payment', 'edit')
  }
}
