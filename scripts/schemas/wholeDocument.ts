import type { Sources } from '../../src/meta/sources.ts'
import type { Texts } from './catalogue.ts'

/** What is asked about a document before its files are written; nothing said: a document with one amount, submitted and cancelled. */
export interface DocumentFacts {
  /** Entity it is entered for: `customer`, `business_partner`. */
  readonly party?: string | undefined
  /** `item_id: item, qty: quantity, amount: money`: fields of a line, each with a type or the entity it refers to. */
  readonly lines?: string | undefined
  /** Open item each line settles: `invoice`, `vendor_invoice`, `credit_note`. */
  readonly settles?: string | undefined
  /** `AR_MGR, FIN_MGR > 25000000`: who approves, above which amount. */
  readonly approval?: string | undefined
  /** `613101 / 112101`: accounts debited and credited; of one that settles, the account beside that of the item. */
  readonly posting?: string | undefined
  /** Roles that enter it: `AR_STAFF, AR_MGR`. */
  readonly enters?: string | undefined
  /** Code of its number series. */
  readonly series?: string | undefined
}

/** What is said of a document, understood: types and entities are known, accounts have two sides. */
export interface DocumentPlan {
  readonly entity: string
  readonly noun: string
  readonly series: string
  readonly party?: { readonly field: string; readonly entity: string; readonly territory: boolean }
  readonly lines?: Readonly<Record<string, object>>
  readonly settles?: { readonly field: string; readonly entity: string; readonly party: string; readonly remaining: string; readonly account?: string | undefined; readonly side: 'D' | 'C'; readonly as: string }
  readonly levels?: readonly object[]
  readonly enters?: readonly string[]
  readonly event?: { readonly name: string; readonly debit: string; readonly credit: string; readonly journalType: string; readonly modules: readonly string[] }
  readonly measure: string
}

/** Invoices were open items before the language had the word: their remaining is kept with what else is known of their payment. */
const ofInvoices = { whole: 'total', remaining: 'remaining', partner: 'customer_id', account: 'ar_account_id', side: 'D' as const }

const types = ['text', 'longtext', 'code', 'integer', 'quantity', 'money', 'rate', 'percent', 'date', 'boolean']

/** What `facts` say of a new document, or what of it cannot be. */
export function planOf(sources: Sources, noun: string, facts: DocumentFacts): DocumentPlan | { readonly refused: string } {
  const entities = new Map(sources.entity.map(({ value }) => [value.id, value]))
  const entity = noun.replaceAll('-', '_')
  const words = noun.split('-')
  const numbered = new Map(sources.entity.map(({ value }) => [value.series, value.id]))
  const short = [1, 2, 3, 4].map((letters) => words.map((word) => word.slice(0, words.length > 1 ? letters : letters + 2)).join('').toUpperCase())
  const series = facts.series ?? short.find((code) => !numbered.has(code)) ?? entity.toUpperCase()
  const taken = numbered.get(series)
  if (taken !== undefined) return { refused: `The series "${series}" numbers ${taken}: name another with --series.` }

  const openItems = new Map([['invoice', ofInvoices], ...[...entities.values()].flatMap(({ id, openItem }) => (openItem === undefined ? [] : [[id, openItem] as const]))])
  const item = facts.settles === undefined ? undefined : entities.get(facts.settles)
  const openItem = item === undefined ? undefined : openItems.get(item.id)
  if (facts.settles !== undefined && openItem === undefined) return { refused: `--settles wants an open item: ${[...openItems.keys()].join(', ')}.` }
  const itemParty = openItem?.partner
  const partyEntity = facts.party ?? (itemParty === undefined ? undefined : refOf(item?.fields[itemParty]))
  if (partyEntity !== undefined && !entities.has(partyEntity)) return { refused: `There is no entity "${partyEntity}" for --party.` }
  const party = partyEntity === undefined ? undefined : { field: itemParty ?? `${partyEntity === 'business_partner' ? 'vendor' : partyEntity}_id`, entity: partyEntity, territory: entities.get(partyEntity)?.fields['territory_id'] !== undefined }

  const lines: Record<string, object> = {}
  for (const part of listed(facts.lines)) {
    const [name = '', type = ''] = part.split(':').map((word) => word.trim())
    if (!/^[a-z][a-z0-9_]*$/.test(name) || (!types.includes(type) && !entities.has(type))) return { refused: `Write "${part}" as <field>: <type>, a type out of ${types.join(', ')} or an entity.` }
    lines[name] = types.includes(type) ? { type, ...(['money', 'quantity'].includes(type) ? { required: true } : {}) } : { type: 'ref', entity: type, required: true }
  }
  const hasAmounts = item !== undefined || lines['amount'] !== undefined

  const levels = listed(facts.approval).map((part) => {
    const [role = '', above] = part.split('>').map((word) => word.trim())
    return { role, ...(above === undefined ? {} : { above }), hours: 24 }
  })
  const odd = levels.find(({ role, above }) => !/^[A-Z][A-Z_]*$/.test(role) || (above !== undefined && !/^\d+$/.test(above)))
  if (odd !== undefined) return { refused: 'Write --approval as "AR_MGR, FIN_MGR > 25000000".' }

  const accounts = facts.posting?.split('/').map((account) => account.trim()) ?? []
  const itemAccount = openItem?.account
  const wanted = item !== undefined && itemAccount !== undefined ? 1 : 2
  if (facts.posting !== undefined && (accounts.length !== wanted || !accounts.every((account) => /^\d{4,}$/.test(account)))) {
    return { refused: wanted === 1 ? 'Write --posting as the account beside that of the item: "613101".' : 'Write --posting as "<debit> / <credit>": "613101 / 112101".' }
  }
  const isReceivable = party?.entity === 'customer'
  const [one = '', other = one] = accounts
  const side = openItem?.side ?? 'D'
  // What settles a receivable credits its account, what settles a payable debits it.
  const [debit, credit] = wanted === 2 ? [one, other] : side === 'D' ? [one, 'LINE'] : ['LINE', one]
  return {
    entity,
    noun,
    series,
    measure: hasAmounts ? 'total' : 'amount',
    ...(party === undefined ? {} : { party }),
    ...(Object.keys(lines).length === 0 && item === undefined ? {} : { lines }),
    ...(item === undefined || openItem === undefined || party === undefined ? {} : { settles: { field: `${item.id}_id`, entity: item.id, party: openItem.partner, remaining: openItem.remaining, account: itemAccount, side, as: entity.toUpperCase() } }),
    ...(levels.length === 0 ? {} : { levels }),
    ...(facts.enters === undefined ? {} : { enters: listed(facts.enters) }),
    ...(facts.posting === undefined ? {} : { event: { name: entity.toUpperCase(), debit, credit, journalType: isReceivable ? 'CL' : party === undefined ? 'MJ' : 'AP', modules: [...(party === undefined ? [] : [isReceivable ? 'AR' : 'AP']), 'GL'] } }),
  }
}

function listed(text: string | undefined): readonly string[] {
  return (text ?? '').split(',').map((part) => part.trim()).filter((part) => part !== '')
}

function refOf(field: unknown): string | undefined {
  return typeof field === 'object' && field !== null && 'entity' in field && typeof field.entity === 'string' ? field.entity : undefined
}

/** Texts only a whole document needs. */
export function planTexts(plan: DocumentPlan, title: Texts): Readonly<Record<string, Texts>> {
  const withWord = (en: string, cn: string, id: string): Texts => ({ en: `${title.en}${en}`, cn: `${title.cn}${cn}`, id: `${id}${title.id}` })
  return {
    ...(plan.lines === undefined ? {} : { [`entity.${plan.entity}_line`]: withWord(': line', '行', 'Baris '), 'tab.lines': { en: 'Lines', cn: '明细行', id: 'Baris' }, [`field.${plan.entity}_id`]: title }),
    ...(plan.levels === undefined
      ? {}
      : {
          [`screen.${plan.noun}.approval`]: withWord(': to approve', '审批', 'Persetujuan '),
          [`screen.${plan.noun}-reversal.approval`]: withWord(': reversals', '冲销审批', 'Pembalikan '),
          [`menu.${approvalEntries(title.en).approval}`]: withWord(': approval', '审批', 'Persetujuan '),
          [`menu.${approvalEntries(title.en).reversal}`]: withWord(': reversal', '冲销审批', 'Pembalikan '),
        }),
    ...(plan.event === undefined ? {} : { [`event.${plan.event.name}`]: title }),
    ...(plan.settles === undefined ? {} : { [`enum.${plan.settles.as}`]: title }),
    ...Object.fromEntries(Object.keys(plan.lines ?? {}).map((name) => [`field.${name}`, said(name)])),
    'field.total': { en: 'Total', cn: '总额', id: 'Total' },
  }
}

/** Names of the menu entries of its approvals. */
export function approvalEntries(title: string): { readonly approval: string; readonly reversal: string } {
  return { approval: `${title} approval`, reversal: `${title} reversal` }
}

function said(name: string): Texts {
  const words = name.replace(/_id$/, '').replaceAll('_', ' ')
  const text = words.charAt(0).toUpperCase() + words.slice(1)
  return { en: text, cn: text, id: text }
}
