import type { DocumentPlan } from './wholeDocument.ts'

/** A schema file still to be written: its folder and name below the area, its kind, and what it says. */
export interface NewSource {
  readonly noun: string
  readonly name: string
  readonly kind: string
  readonly body: object
}

/** The schema files of a document as it was asked for. */
export function sourcesOfPlan(plan: DocumentPlan): readonly NewSource[] {
  const { noun } = plan
  const own = (kind: string, body: object, name = noun): NewSource => ({ noun, name, kind, body })
  return [
    own('entity', header(plan)),
    ...(plan.lines === undefined ? [] : [{ noun: `${noun}-line`, name: `${noun}-line`, kind: 'entity', body: line(plan) }]),
    own('workflow', workflow(plan)),
    ...(plan.event === undefined ? [] : [own('posting', posting(plan))]),
    own('list', list(plan)),
    own('form', form(plan)),
    own('detail', detail(plan)),
    ...(plan.levels === undefined
      ? []
      : [own('approval', { id: `${noun}.approval`, docType: plan.entity, transition: 'submit', columns: shown(plan), peek: `${noun}.detail` }),
          ...(plan.event === undefined ? [] : [own('approval', { id: `${noun}-reversal.approval`, docType: plan.entity, transition: 'reverse', guard: `${noun}-approve`, columns: shown(plan), peek: `${noun}.detail` }, `${noun}-reversal`)])]),
  ]
}

/** What a document says of itself wherever it is shown in one line. */
function shown({ party, measure }: DocumentPlan): readonly string[] {
  return [...(party === undefined ? ['description'] : [party.field]), measure, 'doc_date', 'operating_unit_id']
}

/** Fields whoever enters it fills in. */
function entered({ party, measure }: DocumentPlan): readonly unknown[] {
  return [
    ...(party === undefined ? [] : [{ field: party.field, span: 2, lookupWhere: { is_active: true } }]), 'doc_date',
    ...(party?.territory === true ? [] : ['operating_unit_id']),
    ...(party === undefined ? ['territory_id', { field: 'description', span: 2 }] : []),
    ...(measure === 'total' ? [] : ['amount']), { field: 'note', span: 2 },
  ]
}

function header({ entity, noun, series, party, measure, lines, levels, event }: DocumentPlan): object {
  const isPlain = party === undefined
  return {
    id: entity,
    base: 'document',
    resource: noun,
    display: ['code', isPlain ? 'description' : 'code'],
    scope: { operating_unit: 'operating_unit_id', ...(isPlain || party.territory ? { territory: 'territory_id' } : {}) },
    series,
    fields: {
      ...(isPlain ? { description: { type: 'text', required: true, search: true } } : { [party.field]: { type: 'ref', entity: party.entity, required: true } }),
      [measure]: { type: 'money', ...(measure === 'amount' ? { required: true } : {}) },
    },
    ...(party?.territory === true || (lines !== undefined && measure === 'total')
      ? {
          derive: {
            ...(party?.territory === true ? { operating_unit_id: `${party.field}.operating_unit_id`, territory_id: `${party.field}.territory_id` } : {}),
            ...(measure === 'total' ? { total: { sum: 'lines.amount' } } : {}),
          },
        }
      : {}),
    rules: [{ id: 'doc-date-not-ahead', field: 'doc_date', must: { doc_date: { le: { now: 'date' } } } }],
    conditions: { isOpen: { status: { in: levels !== undefined ? [0, 4] : event === undefined ? [0, 1] : [0] } } },
  }
}

function line({ entity, noun, lines = {}, settles }: DocumentPlan): object {
  return {
    id: `${entity}_line`,
    base: 'line',
    resource: `${noun}-line`,
    parent: entity,
    fields: {
      ...(settles === undefined ? {} : { [settles.field]: { type: 'ref', entity: settles.entity, required: true }, remaining_at: { type: 'money' }, amount: { type: 'money', required: true } }),
      ...lines,
    },
    ...(settles === undefined
      ? {}
      : {
          derive: { remaining_at: `${settles.field}.${settles.remaining}` },
          candidates: {
            entity: settles.entity,
            where: { all: [{ [settles.party]: { field: settles.party } }, { status: { in: [1, 2] } }, { [settles.remaining]: { gt: 0 } }] },
            takes: { [settles.field]: 'id', amount: settles.remaining },
          },
        }),
  }
}

function workflow({ entity, levels, enters, event, settles, lines, measure }: DocumentPlan): object {
  const then = event === undefined ? [] : ['post']
  const checks = [...(lines === undefined ? [] : ['hasLines']), ...(settles === undefined || event === undefined ? [] : ['settlesWhatIsOpen']), ...(event === undefined ? [] : ['periodNotClosed'])]
  return {
    entity,
    states: levels === undefined ? [0, 1, ...(event === undefined ? [6] : [7])] : [0, 4, 1, 5, ...(event === undefined ? [] : [7])],
    ...(enters === undefined ? {} : { enters }),
    ...(levels === undefined ? {} : { approval: { measure, levels, then, ...(event === undefined ? {} : { reversal: { levels: [{ role: levels.map((level) => Object(level).role).at(-1), hours: 24 }], then: ['reverse'] } }) } }),
    ...(event === undefined ? {} : { books: { modules: event.modules, ...(levels === undefined ? { waiting: [0] } : {}), events: [{ event: event.name }] } }),
    ...(settles === undefined || event === undefined ? {} : { settles: [{ lines: 'lines', item: settles.field, amount: 'amount', as: settles.as }] }),
    ...(levels !== undefined
      ? {}
      : {
          transitions: [
            { action: 'submit', from: [0], to: 1, ...(checks.length === 0 ? {} : { preconditions: checks }), ...(event === undefined ? {} : { effects: ['post'] }), tone: 'positive' },
            event === undefined
              ? { action: 'cancel', from: [0, 1], to: 6, reason: 'required', reasonUsage: 'CANCEL', tone: 'negative', confirm: true }
              : { action: 'reverse', from: [1], to: 7, effects: ['reverse'], reason: 'required', reasonUsage: 'REVERSAL', confirm: true, tone: 'negative' },
          ],
        }),
  }
}

function posting({ event, settles, measure }: DocumentPlan): object {
  const { name = '', journalType = '', debit = '', credit = '' } = event ?? {}
  const item = settles === undefined ? undefined : { of: 'amount', each: 'lines', ...(settles.account === undefined ? {} : { account: `${settles.field}.${settles.account}` }), item: settles.field }
  const whole = { of: measure }
  // The side of the item is booked item by item, the other in one.
  const [debited, credited] = item === undefined ? ['total', 'total'] : settles?.side === 'D' ? ['total', 'item'] : ['item', 'total']
  return {
    events: [
      {
        event: name,
        journalType,
        amounts: { total: whole, ...(item === undefined ? {} : { item }) },
        lines: [{ line: 1, side: 'D', amount: debited, account: debit }, { line: 2, side: 'C', amount: credited, account: credit }],
      },
    ],
  }
}

function list(plan: DocumentPlan): object {
  const { entity, noun, levels, event, party, measure } = plan
  const territory = party === undefined || party.territory ? ['territory_id'] : []
  return {
    id: `${noun}.list`,
    entity,
    columns: [
      { field: 'code', width: 170, pin: 'left' }, { field: 'doc_date', width: 120 }, { field: shown(plan)[0], width: 300, importance: 'high' },
      { field: measure, width: 160, total: 'sum' }, 'status', ...['operating_unit_id', ...territory].map((field) => ({ field, hidden: true })),
    ],
    filters: ['status', ...(party === undefined ? [] : [party.field]), 'doc_date', measure, 'operating_unit_id', ...territory],
    sort: [{ field: 'doc_date', dir: 'desc' }, { field: 'id', dir: 'desc' }],
    presets: [{ id: 'open', where: 'isOpen', default: true }],
    actions: [
      { id: 'new', panel: `${noun}.form`, scope: 'page', guard: `${noun}-create` }, { transition: 'submit' },
      ...(levels === undefined ? [{ transition: event === undefined ? 'cancel' : 'reverse' }] : [{ transition: 'recall' }, ...(event === undefined ? [] : [{ transition: 'request-reversal' }])]),
    ],
    panel: `${noun}.detail`,
  }
}

function form(plan: DocumentPlan): object {
  const { entity, noun, lines, settles, measure, party } = plan
  return {
    id: `${noun}.form`,
    entity,
    sections: [{ id: 'general', fields: entered(plan) }],
    ...(lines === undefined
      ? {}
      : {
          lines: {
            columns: lineColumns(plan),
            ...(settles === undefined ? {} : { derive: true, propose: true }),
            paste: true,
          },
        }),
    ...(measure === 'total' ? { totals: ['total'] } : {}),
    transitions: ['submit'],
    defaults: { doc_date: { now: 'date' }, ...(party?.territory === true ? {} : { operating_unit_id: { user: 'operating_unit_id' } }) },
  }
}

function lineColumns({ lines = {}, settles, isRead = false }: DocumentPlan & { readonly isRead?: boolean }): readonly object[] {
  const own = Object.keys(lines).map((field) => ({ field, width: 160, ...(field === 'amount' ? { total: 'sum' } : {}) }))
  if (settles === undefined) return own
  return [
    { field: settles.field, width: 190, ...(isRead ? {} : { lookupWhere: { all: [{ [settles.party]: { field: settles.party } }, { status: { in: [1, 2] } }] } }) },
    { field: 'remaining_at', width: 160, total: 'sum' }, { field: 'amount', width: 160, total: 'sum' }, ...own.filter(({ field }) => field !== 'amount'),
  ]
}

function detail(plan: DocumentPlan): object {
  const { entity, noun, lines, event, measure, levels, party } = plan
  const fields = ['code', 'doc_date', ...(party === undefined ? ['description'] : [party.field]), measure, 'operating_unit_id', ...(party === undefined || party.territory ? ['territory_id'] : []), 'note']
  return {
    id: `${noun}.detail`,
    entity,
    facts: ['status', ...shown(plan)],
    states: levels === undefined ? [0, 1, ...(event === undefined ? [6] : [])] : [0, 4, 1],
    tabs: [
      ...(lines === undefined ? [] : [{ id: 'lines', kind: 'lines', lines: `${entity}_line`, columns: lineColumns({ ...plan, isRead: true }) }]),
      { id: 'general', kind: 'fields', sections: [{ id: 'general', fields }] },
      { id: 'flow', kind: 'flow' },
      ...(event === undefined ? [] : [{ id: 'journal', kind: 'journal' }]),
      { id: 'comments', kind: 'comments' }, { id: 'attachments', kind: 'attachments' }, { id: 'history', kind: 'history' },
    ],
    edit: `${noun}.form`,
  }
}
