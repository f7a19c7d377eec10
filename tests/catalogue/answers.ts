import { exact, sum } from '../../src/base/decimal.ts'
import { wireName } from '../../src/base/wireName.ts'
import { holds } from '../../src/meta/evaluate.ts'
import { decimalPlaces } from '../../src/meta/resolveField.ts'
import { SampleImports } from './imports.ts'
import { rowOf, rowsOf, type Row } from './samples.ts'
import type { ApprovalFact, ApprovalRequestAnswer } from '../../src/api/approval.ts'
import type { Condition } from '../../src/meta/condition.ts'
import type { Metadata } from '../../src/meta/metadata.ts'
import type { GroupDimension, ReportScreen, ResolvedEntity } from '../../src/meta/resolved.ts'

/** The day on which the samples are looked at. */
export const today = '2026-06-15'

export interface Question {
  readonly method: string
  /** `/api/v1/…`. */
  readonly path: string
  readonly query: URLSearchParams
  readonly body: unknown
}

/**
 * Answers of a server that holds nothing but the samples: enough of the wire for every page of the catalogue, the same every time. What
 * is saved is kept until the development server ends.
 */
export class SampleServer {
  readonly #imports = new SampleImports()
  readonly #metadata: Metadata
  readonly #rows = new Map<string, Row[]>()

  constructor(metadata: Metadata) {
    this.#metadata = metadata
  }

  /** `data` of the envelope; undefined: there is no such call. */
  answer(question: Question): unknown {
    const parts = question.path.replace(/^\/api\/v1\//, '').split('/')
    const [area = '', ...rest] = parts
    switch (area) {
      case 'setting':
        return user
      case 'menu':
        return { records: [] }
      case 'permission':
        return { records: this.#metadata.guards.map(({ name }) => ({ GuardName: name })) }
      case 'data':
        return this.#data(rest, question)
      case 'lookup':
        return this.#lookup(rest, question)
      case 'report':
        return this.#report(rest, question)
      case 'dashboard':
        return this.#dashboard(rest)
      case 'approval':
        return this.#approval(rest, question)
      case 'import':
      case 'import-batch':
        return this.#imports.answer(area, rest, question.method, question.query.get('state'), question.body)
      case 'general':
        return rest[0] === 'upload' ? { record: { ID: 21, Name: 'contract.pdf', Type: 'application/pdf', Size: 1024, Key: 'f'.repeat(40), CanPreview: true } } : { file: btoa('A sample file.'), type: 'text/plain' }
      case 'health':
        return { version: '0', migration: 0, database: 'none' }
      default:
        return { records: [], rows: [], roles: [] }
    }
  }

  #table(entity: ResolvedEntity): Row[] {
    const known = this.#rows.get(entity.id) ?? [...rowsOf(this.#metadata, entity)]
    this.#rows.set(entity.id, known)
    return known
  }

  #entity(resource: string): ResolvedEntity | undefined {
    return this.#metadata.entities[this.#metadata.entityByResource[resource] ?? '']
  }

  #data([resource = '', id = '', part = '']: readonly string[], question: Question): unknown {
    const entity = this.#entity(resource)
    if (entity === undefined) return undefined
    if (id === '' && question.method === 'GET') return this.#list(entity, question.query)
    if (id === '' && question.method === 'POST') return this.#save(entity, undefined, question.body)
    if (id === 'counts') return { counts: conditionsIn(question.query.get('filters')).map((where) => this.#found(entity, where, '').length), limit: 1000 }
    if (id === 'groups') return this.#groups(entity, question.query)
    if (part === '') return question.method === 'GET' ? { record: this.#record(entity, Number(id)), counts: { Attachments: 2, Comments: 1 } } : this.#save(entity, Number(id), question.body)
    const record = this.#record(entity, Number(id))
    switch (part) {
      case 'history':
        return { records: historyOf(record) }
      case 'flow':
        return { records: flowOf(record) }
      case 'journal':
        return { records: journalsOf(record) }
      case 'around':
        return { Previous: record.ID > 1 ? record.ID - 1 : null, Next: record.ID + 1, Position: record.ID, Total: this.#table(entity).length }
      case 'actions':
        return { records: (record['Actions'] as readonly string[]).map((Action) => ({ Action })) }
      case 'counts':
        return { Attachments: 2, Comments: 1 }
      default:
        return { records: [], CanAttach: false }
    }
  }

  #record(entity: ResolvedEntity, id: number): Row {
    const row = this.#table(entity).find((one) => one.ID === id) ?? rowOf(this.#metadata, entity, id)
    const lines = entity.lines.map((line) => {
      const of = this.#metadata.entities[line.entity]
      if (row[line.wire] !== undefined || of === undefined) return [line.wire, row[line.wire]]
      const made = Array.from({ length: line.owned ? 3 : 8 }, (_, i): Row => ({ ...rowOf(this.#metadata, of, id * 10 + i), LineNo: i + 1 }))
      // Goods that come free stand under the line they belong to.
      return [line.wire, line.owned ? made : made.flatMap((one, i) => (i === 1 ? [one, { ...one, ID: one.ID + 500, IsFree: true, Price: '0.0000', Amount: '0.00', LineNo: 2 }] : [one]))]
    })
    return { ...row, ...Object.fromEntries(lines), PartnerCodes: ['SP-1001', 'SP-1006'], PartnerIDs: [1, 5, 9] }
  }

  #save(entity: ResolvedEntity, id: number | undefined, body: unknown): unknown {
    const table = this.#table(entity)
    const before = id === undefined ? { ...rowOf(this.#metadata, entity, table.length + 1), ID: table.length + 1 } : this.#record(entity, id)
    const { Version: version }: Row = { Version: 1, ...before }
    const record: Row = { ...before, ...(body as Record<string, unknown>), ID: before.ID, Version: Number(version) + 1 }
    const at = table.findIndex((row) => row.ID === record.ID)
    if (at < 0) table.push(record)
    else table[at] = record
    return { record }
  }

  #found(entity: ResolvedEntity, where: Condition | undefined, search: string): Row[] {
    const wanted = search.toLowerCase()
    return this.#table(entity).filter(
      (row) =>
        (where === undefined || holds(where, (name) => row[wireName(name)], { user: { id: 1 }, today, params: {} })) &&
        (wanted === '' || `${String(row['Code'])} ${String(row['Name'] ?? '')}`.toLowerCase().includes(wanted)),
    )
  }

  #list(entity: ResolvedEntity, query: URLSearchParams): unknown {
    const rows = sorted(this.#found(entity, conditionIn(query.get('filter')), query.get('search') ?? ''), query)
    const length = Number(query.get('length') ?? 25)
    const start = (Number(query.get('page') ?? 1) - 1) * length
    const page = rows.slice(start, start + length)
    return { recordsTotal: rows.length, rows: page, totals: this.#totals(entity, rows, namesIn(query.get('totals'))) }
  }

  #totals(entity: ResolvedEntity, rows: readonly Row[], columns: readonly string[]): Record<string, string> {
    return Object.fromEntries(
      columns.map((name) => [name, sum(rows.map((row) => exact(String(row[wireName(name)] ?? '0')))).toFixed(decimalPlaces[entity.fields.find((field) => field.name === name)?.type ?? 'money'] ?? 0)]),
    )
  }

  #groups(entity: ResolvedEntity, query: URLSearchParams): unknown {
    const [by = ''] = (query.get('by') ?? '').split(':')
    const rows = this.#found(entity, conditionIn(query.get('filter')), query.get('search') ?? '')
    const values = [...new Set(rows.map((row) => row[wireName(by)]))]
    const groups = values.map((value) => {
      const members = rows.filter((row) => row[wireName(by)] === value)
      return { value, record: members[0] ?? {}, count: members.length, totals: this.#totals(entity, members, namesIn(query.get('totals'))) }
    })
    return { groupsTotal: groups.length, groups }
  }

  #lookup([id = '', isResolve]: readonly string[], { query, body }: Question): unknown {
    const entity = this.#metadata.entities[id]
    if (entity === undefined) return { records: [] }
    const rows = this.#table(entity)
    if (isResolve !== undefined) return { records: (body as { codes: readonly string[] }).codes.map((code) => rows.find((row) => String(row['Code']).toLowerCase() === code.toLowerCase()) ?? null) }
    const ids = query.get('ids')?.split(',').map(Number)
    if (ids !== undefined) return { records: rows.filter((row) => ids.includes(row.ID)) }
    return { records: this.#found(entity, undefined, query.get('search') ?? '').slice(0, Number(query.get('length') ?? 20)) }
  }

  #facts(): readonly Row[] {
    const entity = this.#metadata.entities['sample_order']
    if (entity === undefined) return []
    return this.#table(entity).map((row) => ({ ...row, OrderID: row.ID, OrderCode: row['Code'], PartnerName: row['PartnerName'] }))
  }

  #report([id = '', part]: readonly string[], { query }: Question): unknown {
    const screen = this.#metadata.screens[id]
    if (screen?.kind !== 'report') return undefined
    const parameters = { as_of: today }
    if (part === 'summary') return { ...this.#summary(screen, namesIn(query.get('group')), query.get('across') ?? undefined, namesIn(query.get('measures'))), parameters }
    const rows = sorted([...this.#facts()], query)
    const length = Number(query.get('length') ?? 100)
    const shown = rows.slice(0, length)
    const totals = (of: readonly Row[]) => ({ qty: total(of, 'Qty', 3), amount: total(of, 'Amount', 2) })
    const groups = [...new Set(shown.map((row) => row['PartnerName']))].map((value) => {
      const members = rows.filter((row) => row['PartnerName'] === value)
      return { value, currency: null, count: members.length, totals: totals(members) }
    })
    return { recordsTotal: rows.length, rows: shown, totals: totals(rows), groups, parameters }
  }

  #summary(screen: Pick<ReportScreen, 'groups' | 'measures'>, groups: readonly string[], across: string | undefined, wanted: readonly string[]): Record<string, unknown> {
    const facts = this.#facts()
    const measures = wanted.length > 0 ? wanted : screen.measures.map(({ name }) => name)
    const keyOf = (row: Row, group: string) => {
      const [name = '', grain] = group.split(':')
      const value = row[wireName(name)]
      return grain === 'month' ? `${String(value).slice(0, 7)}-01` : (value as string)
    }
    const values = (rows: readonly Row[]) => measures.map((name) => (name === 'orders' ? String(rows.length) : total(rows, wireName(name), name === 'qty' ? 3 : 2)))
    const acrossValues = across === undefined ? [] : [...new Set(facts.map((row) => keyOf(row, across)))].sort()
    const cells = (rows: readonly Row[]) => [rows, ...acrossValues.map((value) => rows.filter((row) => keyOf(row, across ?? '') === value))].map((part) => ({ count: part.length, values: values(part), before: values(part.slice(1)) }))
    const rowsBy = (depth: number) => {
      const found = new Map<string, Row[]>()
      for (const row of facts) {
        const key = JSON.stringify(groups.slice(0, depth).map((group) => keyOf(row, group)))
        found.set(key, [...(found.get(key) ?? []), row])
      }
      return [...found].map(([key, rows]) => ({ keys: JSON.parse(key) as string[], currency: null, about: rows[0] ?? {}, cells: cells(rows) }))
    }
    const rows = groups.length === 0 ? [] : rowsBy(groups.length)
    return {
      recordsTotal: rows.length,
      rows,
      subtotals: groups.slice(1).flatMap((_, i) => rowsBy(i + 1)),
      totals: [{ keys: [], currency: null, about: {}, cells: cells(facts) }],
      across: acrossValues,
      measures,
      parameters: { as_of: today },
      before: { as_of: '2026-05-15' },
    }
  }

  #dashboard([id = '', tileId]: readonly string[]): unknown {
    const screen = this.#metadata.screens[id]
    if (screen?.kind !== 'dashboard') return undefined
    if (tileId === undefined) return { tiles: screen.tiles.map(({ id: tile, title, kind, size }) => ({ id: tile, title, kind, size })) }
    const tile = screen.tiles.find((one) => one.id === tileId)
    const link = '/studio/catalogue/report'
    const report = this.#metadata.screens['sample.report']
    if (tile === undefined || report?.kind !== 'report') return undefined
    const ofGroup = (by: GroupDimension | undefined, measures: readonly { readonly name: string }[]) => this.#summary(report, by === undefined ? [] : [by.key], undefined, measures.map(({ name }) => name))
    switch (tile.kind) {
      case 'kpi': {
        const measure = tile.figure.kind === 'report' ? tile.figure.measure.name : 'orders'
        const type = tile.figure.kind === 'report' ? tile.figure.measure.type : 'integer'
        const value = total(this.#facts(), wireName(measure), 2)
        return {
          kind: 'kpi', type, tone: 'neutral', link, good: 'up', parameters: { as_of: today }, before: { as_of: '2026-05-15' }, ...(tile.compare === undefined ? {} : { compare: tile.compare }),
          ...(tile.second === undefined ? {} : { second: { label: tile.second.label, type: tile.second.type } }),
          amounts: [{ currency: measure === 'amount' ? 'IDR' : null, value, before: exact(value).times('0.9').toFixed(2), second: String(this.#facts().length) }],
        }
      }
      case 'counts':
        return { kind: 'counts', items: tile.items.map((item, i) => ({ id: item.id, title: item.title, type: 'integer', tone: i === 0 ? 'info' : 'negative', link: '/studio/catalogue/list', amounts: [{ currency: null, value: String(25 - i * 14) }] })) }
      case 'chart':
        return { kind: 'chart', chart: tile.chart, summary: ofGroup(tile.chart.by, tile.chart.measures), link }
      case 'list': {
        const summary = ofGroup(tile.by, tile.measures)
        const rows = (summary['rows'] as readonly unknown[]).slice(0, tile.top)
        return { kind: 'list', by: tile.by, about: [], measures: tile.measures, summary: { ...summary, rows }, rowLinks: rows.map(() => link), link }
      }
      case 'approvals':
        return { kind: 'approvals', items: [{ docType: 'sample_order', title: 'entity.sample_order', count: 7, link: '/studio/catalogue/approval' }] }
    }
  }

  #approval([docType = '', transition = '']: readonly string[], { query }: Question): unknown {
    if (docType === 'mine') return { records: [] }
    const entity = this.#metadata.entities['sample_order']
    if (entity === undefined) return undefined
    if (docType === 'request') return requestOf(Number(transition))
    const waiting = this.#table(entity).filter((row) => row['Status'] === 4)
    const state = query.get('state') ?? 'waiting'
    const all = state !== 'waiting' ? [] : waiting.map((row, i) => ({
      ID: 900 + row.ID, DocID: row.ID, DocCode: row['Code'], DocType: 'sample_order', Amount: row['Amount'], RequestedByName: i % 2 === 0 ? 'Rina Wijaya' : 'Budi Santoso',
      RequestedAt: `2026-06-${String(14 - (i % 5)).padStart(2, '0')}T02:00:00Z`, DueAt: `2026-06-${String(13 + (i % 5)).padStart(2, '0')}T02:00:00Z`, SlaHours: 48, DecidedAt: null, CurrentLevel: 1, MaxLevel: 2,
      Reasons: [{ code: 'CREDIT_LIMIT', value: '12500000.00', text: 'The credit limit is exceeded by 12500000.00.' }, ...(i % 2 === 0 ? [{ code: 'OVERDUE', value: '14', text: 'An invoice is overdue by 14 days.' }] : [])],
      CanDecide: i !== 3, WhyNot: i === 3 ? 'MAKER' : null, OnBehalfOfName: i === 2 ? 'Dewi Lestari' : null, Document: row,
    }))
    const rows = query.get('mine') === 'true' ? all.filter((row) => row.CanDecide) : all
    return { recordsTotal: rows.length, rows, counts: { waiting: waiting.length, approved: 0, rejected: 0 }, mine: waiting.filter((_, i) => i !== 3).length }
  }
}

const user = {
  user_id: 1, name: 'Rina Wijaya', email: 'rina@example.com', role: 'Sales', user_session_token: '', apps: ['oms'], territory_id: 0, territories: [], operating_unit_id: 1, is_show_tos: false,
  tos_version: null, password_change_date: '2026-06-01T00:00:00Z', picture_key: null, is_password_expired: false, session_expires_at: '2026-06-20T00:00:00Z', language: 'en', theme: 'default', date_format: 'DD/MM/YYYY', density: 'normal',
}

function sorted(rows: Row[], query: URLSearchParams): Row[] {
  const order = namesIn(query.get('order'))
  const sort = namesIn(query.get('sort'))
  return [...rows].sort((a, b) => {
    for (const [i, name] of order.entries()) {
      const [left, right] = [String(a[wireName(name)] ?? ''), String(b[wireName(name)] ?? '')]
      if (left !== right) return (left < right ? -1 : 1) * (sort[i] === 'desc' ? -1 : 1)
    }
    return a.ID - b.ID
  })
}

function total(rows: readonly Row[], wire: string, places: number): string {
  return sum(rows.map((row) => exact(String(row[wire] ?? '0')))).toFixed(places)
}

function namesIn(list: string | null): readonly string[] {
  return (list ?? '').split(',').filter((name) => name !== '')
}

function conditionIn(text: string | null): Condition | undefined {
  return text === null || text === '' ? undefined : (JSON.parse(text) as Condition)
}

function conditionsIn(text: string | null): readonly (Condition | undefined)[] {
  return text === null ? [] : (JSON.parse(text) as readonly (Condition | undefined)[])
}

function historyOf(record: Row): unknown {
  const entry = { OnBehalfOfName: null, Note: null, FromStatus: null, ToStatus: null, Diff: [] }
  return [
    { ...entry, ID: 3, At: '2026-06-12T07:10:00Z', ActorName: 'Budi Santoso', Action: 'submit', FromStatus: 0, ToStatus: 4 },
    { ...entry, ID: 2, At: '2026-06-11T03:05:00Z', ActorName: 'Rina Wijaya', Action: 'edit', Diff: [{ Field: 'amount', Label: 'field.amount', Type: 'money', Line: null, From: '250000.00', To: record['Amount'] }] },
    { ...entry, ID: 1, At: '2026-06-10T02:00:00Z', ActorName: 'Rina Wijaya', Action: 'create', ToStatus: 0 },
  ]
}

function flowOf(record: Row): unknown {
  const node = { Date: '2026-06-10', Amount: record['Amount'], IsReversal: false }
  return [
    { ...node, DocType: 'sales_order', ID: record.ID, Code: record['Code'], Status: 1, Level: 0, Parents: [], Key: 'a', Url: null },
    { ...node, DocType: 'delivery_order', ID: 1, Code: 'DO-2001', Status: 3, Level: 1, Parents: ['a'], Key: 'b', Url: '/delivery_plan?tab=deliveries&v=none&edit=1' },
    { ...node, DocType: 'delivery_order', ID: 2, Code: 'DO-2002', Status: 1, Level: 1, Parents: ['a'], Key: 'c', Url: '/delivery_plan?tab=deliveries&v=none&edit=2' },
    { ...node, DocType: 'invoice', ID: 1, Code: 'INV-3001', Status: 3, Level: 2, Parents: ['b', 'c'], Key: 'd', Url: '/billing?edit=1' },
    { ...node, DocType: 'ar_payment', ID: 1, Code: 'PAY-5001', Date: '2026-06-13', Status: 3, Level: 3, Parents: ['d'], Key: 'e', Url: '/finance/account-receivable/payment-received/edit/1' },
    { ...node, DocType: 'bank_statement_line', ID: 1, Code: 'BS-6001 / 4', Date: '2026-06-14', Status: 3, Level: 4, Parents: ['e'], Key: 'f', Url: '/report/bank-statement' },
  ]
}

function journalsOf(record: Row): unknown {
  const amount = String(record['Amount'])
  return [{
    ID: 1, Code: 'JV-4001', PostingDate: '2026-06-12', SourceEvent: 'INVOICE', Description: 'Invoice INV-3001', TotalDebit: amount, TotalCredit: amount, ReversalOfCode: null, ReversedByCode: null,
    Lines: [{ AccountCode: '112101', AccountName: 'Trade receivables', Debit: amount, Credit: '0.00', Memo: null }, { AccountCode: '411101', AccountName: 'Sales', Debit: '0.00', Credit: amount, Memo: null }],
  }]
}

function requestOf(id: number): ApprovalRequestAnswer {
  const fact = (name: string, value: string, isOver: boolean): ApprovalFact => ({ group: 'credit', name, format: 'money', value, isOver })
  const facts = [fact('limit', '150000000.00', false), fact('exposure', '162500000.00', true), fact('overdue', '8750000.00', true)]
  return {
    ID: id, Changes: [], ReasonsNow: [], FactsAsked: facts, FactsNow: facts, Steps: [{ Action: 'ASK', Level: 0, ActorName: 'Rina Wijaya', OnBehalfOfName: null, At: '2026-06-14T02:00:00Z', Note: null }],
    Approvers: [{ Kind: 'ROLE', Name: 'Credit controller', Level: 1 }],
  }
}
