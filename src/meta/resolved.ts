import type { BankfileSource, PayfileSource, FileReader } from '#generated/language.ts'
import type { Compute } from '#meta/compute.ts'
import type { Condition } from '#meta/condition.ts'
import type { Comparison, Day, Grain } from '#meta/day.ts'
import type { ShownEntry } from '#meta/menuTree.ts'

/**
 * What generating makes of the schema files: flat entities and screens without inheritance, fragments or defaults to work out.
 * Server and client read only these shapes; `schemas/` itself is read by the generator and the check alone.
 * Names ending in `Label` or called `label`/`title` are message keys.
 */

export const fieldTypes = [
  'id', 'code', 'text', 'longtext', 'email', 'integer', 'quantity', 'money', 'percent', 'rate', 'price', 'cost',
  'date', 'datetime', 'period', 'boolean', 'enum', 'status', 'ref', 'textlist', 'json', 'secret',
] as const
export type FieldType = (typeof fieldTypes)[number]

/** `/sales-order-list/{ID}`, to be filled with the wire keys of a row; of several the first whose values the row has. */
export type PathTemplate = string | readonly string[]

/** Look of a badge, a row or a button. */
export type Tone = 'neutral' | 'info' | 'positive' | 'warning' | 'negative'

export interface Choice {
  /** Text for an enum, number for a status. */
  readonly value: string | number
  readonly label: string
  readonly tone: Tone
  /** Message key of the explanation, where the widget shows one. */
  readonly hint?: string
}

export interface Field {
  /** Column name, the word used in schemas: `customer_id`. One hop over a reference is written `customer_id.name`. */
  readonly name: string
  /** Key on the wire: `CustomerID`; for a hop `CustomerName`. */
  readonly wire: string
  readonly type: FieldType
  readonly label: string
  readonly required: boolean
  readonly readOnly: boolean
  /** Permission without which there is no such field. */
  readonly readBy?: string
  /** Permission without which it is read only. */
  readonly writeBy?: string
  /** Referenced entity of a `ref`; its code and name travel beside the id as `CustomerCode`, `CustomerName`. */
  readonly entity?: string
  readonly choices?: readonly Choice[]
  /** Which of the choices it may have, by the value of another field (wire name); where that names none, any text. */
  readonly choicesBy?: { readonly by: string; readonly of: Readonly<Record<string, readonly string[]>> }
  readonly maxLength?: number
  /** Decimal text, inclusive. */
  readonly min?: string
  readonly max?: string
  readonly pattern?: string
  /** Message key of what the pattern asks for. */
  readonly patternText?: string
  readonly default?: string | number | boolean
  /** One file, by the id of its attachment; the code beside it is its storage key, the name its file name. */
  readonly file?: FileRule
  /** Wire key of what the value is measured by: it is coloured where it differs. */
  readonly usually?: string
}

/** What a file field takes. */
export interface FileRule {
  readonly types: 'picture' | 'document' | 'any'
  readonly megabytes: number
}

export interface ResolvedEntity {
  readonly kind: 'entity'
  readonly id: string
  readonly table: string
  readonly base: 'plain' | 'internal' | 'master' | 'document' | 'line' | 'view'
  /** URL segment and guard prefix: `sales-order` → `/api/v1/data/sales-order`, guard `sales-order-view`. */
  readonly resource: string
  readonly title: string
  /** Columns shown for a record of this entity: code and name. */
  readonly display: readonly [code: string, name: string]
  readonly key: readonly (readonly string[])[]
  /** Columns that scope rows to the user's operating units and territories. */
  readonly scope: { readonly operating_unit?: string; readonly territory?: string }
  /** References whose records bound this one, and a view of the same records that does, in place of what it refers to otherwise. */
  readonly bounds?: { readonly references?: readonly string[]; readonly view?: string }
  /** Actions beyond those of its base that a permission is for. */
  readonly permissions?: readonly string[]
  /** Bases of the entities whose references are uses of a record; absent: any. */
  readonly usedBy?: readonly ResolvedEntity['base'][]
  /** Own field → entity → field there that has the same value: a record is in use there too. */
  readonly usedAs?: { readonly [field: string]: { readonly [entity: string]: string } }
  /** Own field → entities: once a record of theirs refers to this one, the field keeps its value. */
  readonly keptOnce?: { readonly [field: string]: readonly string[] }
  readonly series?: string
  /** Way to the currency its amounts are in: `currency`, `invoice_id.currency`, `operating_unit_id.company_id.base_currency`. */
  readonly currency?: string
  /** Its documents may be in another currency than the books: references to records whose currency they take. */
  readonly otherCurrencies?: readonly string[]
  /** Reference whose record gives it its rate, in place of its day. */
  readonly rateOf?: string
  /** Entity of the header, for a line entity; its foreign key column is `<parent>_id`. */
  readonly parent?: string
  /** Lines one document may have, where these are not 2,000. */
  readonly most?: number
  /** Reference column whose record owns this one (address → customer_id): scope and guard follow the owner. */
  readonly owner?: string
  readonly fields: readonly EntityField[]
  readonly lines: readonly EntityLines[]
  /** How its records are looked up: columns beside code and name, and the reference to the parent for a tree. */
  readonly lookup?: { readonly columns: readonly string[]; readonly tree?: string }
  /** Columns the free text search looks at. */
  readonly search: readonly string[]
  /** Path template of the page that shows one record. */
  readonly page?: string
  /** Found by the search over everything. */
  readonly find: boolean
  readonly conditions: Readonly<Record<string, Condition>>
  /** Columns the server works out whenever the record is saved. */
  readonly derive?: Readonly<Record<string, Derivation>>
  /** Of a line: records it may be proposed from; `takes`: column of the line → column of the candidate. `field` operands of `where` are the header's. */
  readonly candidates?: { readonly entity: string; readonly where?: Condition; readonly narrows?: Readonly<Record<string, string>>; readonly takes: Readonly<Record<string, string>>; readonly sort: string; readonly header?: Readonly<Record<string, string>> }
  readonly openItem?: OpenItem
  /** What every record must keep to beyond its single fields; `label` is the sentence said otherwise. */
  readonly rules?: readonly Rule[]
  /** What other records must stay for records of this entity to work. */
  readonly reliances?: readonly Reliance[]
  /** old column name → new: keeps saved views and bookmarks alive. */
  readonly renamed: Readonly<Record<string, string>>
}

/** Field of a record that is named (`customer_id.territory_id`), a column added up over lines, the days between two days, or a day so many days before. */
export type Derivation = string | { readonly sum: string } | { readonly daysFrom: string; readonly to: string } | { readonly daysBefore: string; readonly days: number | string } | { readonly compute: Compute }

/** Columns of a document that is settled piece by piece. */
export interface OpenItem {
  readonly whole: string
  readonly remaining: string
  readonly partner: string
  readonly account?: string
  readonly side: 'D' | 'C'
  /** It is settled first and may be used only as far as it is: whole and remaining of what settles it, and how much of the item itself that has paid and has been used. */
  readonly paid?: { readonly whole: string; readonly remaining: string; readonly amount: string; readonly used: string }
}

/** Something a record needs to find in another entity. */
export interface Reliance {
  readonly id: string
  /** Sentence that says what would be missing, filled from the relying record. */
  readonly label: string
  readonly on: string
  /** Own field → field there. */
  readonly by: Readonly<Record<string, string>>
  readonly when?: Condition
  readonly where?: Condition
  /** Entities whose changes are looked at, with the fields that matter; none: any. */
  readonly after: Readonly<Record<string, readonly string[]>>
  readonly warn?: true
}

export type Rule =
  /** Asked whenever the field has a value; the refusal stands at it. */
  | { readonly label: string; readonly field: string; readonly must: Condition; readonly at?: undefined }
  /** Asked at these transitions, of a line at those of its header, where `when` holds. Reaches fields of records that are named, and of a line what its header reaches. */
  | { readonly label: string; readonly field: string; readonly must: Condition; readonly at: readonly string[]; readonly when?: Condition }
  /** The column added up over the lines comes to a decimal text or to the value of a field of the record. */
  | { readonly label: string; readonly lines: string; readonly sum: string; readonly equals: string; readonly when?: Condition }

/** Records read and saved with their header: its lines, or records it owns. */
export interface EntityLines {
  readonly name: string
  readonly wire: string
  readonly entity: string
  /** Column that refers to the header. */
  readonly column: string
  /** Records of their own right (`children`) instead of numbered lines. */
  readonly owned: boolean
}

export interface EntityField extends Field {
  readonly nullable: boolean
  /** Never leaves the server (password hashes). */
  readonly hidden: boolean
  /** A change of it waits for somebody else's approval. */
  readonly approval?: true
  /** Names who did something, or repeats what is said elsewhere: no use of the record referred to. */
  readonly trace?: true
  /** Asked about where it lies too far from another value of the record. */
  readonly against?: Against
}

/** What a value is measured by, by column names. */
export interface Against {
  readonly field: string
  /** Setting with the most it may differ, in percent. */
  readonly beyond: string
  /** Transitions of the document that ask. */
  readonly on: readonly string[]
  /** Columns the question calls a line by. */
  readonly named: readonly string[]
  readonly when?: Condition
}

export interface ResolvedWorkflow {
  readonly kind: 'workflow'
  readonly entity: string
  readonly approval?: {
    /** Amount the matrix compares, without its sign: a column, or one of a record it names. Absent: 0. */
    readonly measure?: string
    /** Named code in src/server/workflow that says why approvers are asked. */
    readonly reasons?: string
    readonly matrix: readonly MatrixRow[]
  }
  /** Roles that enter such documents, as an installation begins. */
  readonly enters?: readonly string[]
  /** Modules whose period must be open on its day; statuses in which it will still book. */
  readonly books?: {
    readonly modules: readonly PeriodModule[]
    readonly waiting: readonly number[]
    /** What it books, the first that fits and those `beside` it. */
    readonly events: readonly BookedEvent[]
  }
  /** Open items it settles. */
  readonly settles?: readonly Settlement[]
  /** Quantities or amounts of other records it uses up. */
  readonly consumes?: readonly Consumption[]
  readonly adjusts?: Adjusting
  /** Goods it moves. */
  readonly moves?: readonly Moving[]
  /** Status a new document has; absent: 0. */
  readonly begins?: number
  /** Statuses beside draft and rejected in which it may be changed; `fields`: what may be, absent: all. */
  readonly editing?: readonly Editing[]
  /** Stages it goes through while its status stays, in their order; `edits`: quantities of lines entered in each, and fields of the document that may be changed. */
  readonly stages?: readonly { readonly stage: string; readonly edits: readonly string[] }[]
  /** Documents made out of it. */
  readonly makes?: readonly Making[]
  /** Statuses in which it is business under way of its customer; `when`: values one of which a column must have. */
  readonly underWay?: { readonly statuses: readonly number[]; readonly when?: Readonly<Record<string, readonly string[]>> }
  readonly transitions: readonly Transition[]
}

export interface BookedEvent {
  readonly event: string
  readonly when?: Condition
  readonly beside?: true
  /** Transitions of a booked document at which it is booked; absent: when the document is. */
  readonly at?: readonly string[]
  /** Column of its day, with `at`; absent: the day of the transition. */
  readonly day?: string
  readonly modules?: readonly PeriodModule[]
}

export interface Settlement {
  /** The lines that settle; absent: the document itself. */
  readonly lines?: { readonly name: string; readonly wire: string }
  /** Reference to the open item; without it what it settles with leaves. */
  readonly item?: string
  readonly amount: string
  readonly when?: Condition
  /** Kind of the allocation, where the document itself is what settles. */
  readonly as?: string
  /** What the items are settled with: together they come to the same amount and are used up in their order. */
  readonly with?: readonly SettlementSource[]
}

/** An open item whose whole amount the document changes. */
export interface Adjusting {
  /** Reference to it. */
  readonly item: string
  readonly amount: string
  /** Column of the item that adds the adjustments up. */
  readonly into: string
}

export interface Editing {
  readonly status: number
  /** Of a document in work: the stage in which it holds. */
  readonly stage?: string
  readonly fields?: readonly string[]
}

export interface Consumption {
  readonly lines: { readonly name: string; readonly wire: string }
  /** Reference to what is consumed of, and what of it says how much there is and how much is gone. */
  readonly of: string
  readonly qty: string
  readonly into: string
  readonly upTo: string
  readonly tolerance?: string
  readonly over?: true
  /** Gives back: taken off `into` as far as `upTo` is left. */
  readonly back?: true
  readonly when?: Condition
  readonly from: readonly number[]
  readonly status?: { readonly none: number; readonly part: number; readonly all: number; readonly of?: string }
}

export interface Moving {
  readonly lines: { readonly name: string; readonly wire: string }
  readonly at?: readonly string[]
  readonly when?: Condition
  readonly item: string
  readonly batch?: string
  readonly qty: string
  readonly from?: string
  readonly to?: string
  readonly type: string
  readonly arrives: string
  readonly back?: string
  readonly cost?: string
  readonly share?: string
  readonly into?: string
  /** What they are worth together to the other side, and the column of how much more that is than what they moved at. */
  readonly against?: readonly string[]
  readonly gap?: string
  readonly reserved?: 'gives-way'
}

/** What a field of a document that is made begins with: a field reached, a constant, the day, or what is added up over the lines it is made of. */
export type MadeValue = string | { readonly value: string | number | boolean } | { readonly now: 'date' } | { readonly sum: string } | FirstFitting

/** The first record of an entity that fits; `where` compares with the document a new one is made out of. */
export interface FirstFitting {
  readonly first: string
  readonly where: Condition
  readonly order: readonly string[]
}

export interface Making {
  readonly entity: string
  readonly at?: readonly string[]
  readonly when?: Condition
  readonly each?: string
  readonly group?: readonly string[]
  readonly set: Readonly<Record<string, MadeValue>>
  readonly lines?: Readonly<Record<string, MadeValue>>
  readonly by: string
  readonly as?: string
  readonly series?: string
  readonly status?: number
  readonly then?: string
}

export interface SettlementSource {
  readonly lines?: { readonly name: string; readonly wire: string }
  /** Reference to what is used; where it is empty the line is of another source, without one the document itself is it. */
  readonly item?: string
  readonly amount: string
  readonly as: string
  readonly when?: Condition
}

export type PeriodModule = 'SD' | 'ST' | 'AR' | 'AP' | 'CB' | 'GL' | 'TX'

/** A row of the approval matrix as an installation begins: asked of amounts above `above` (0: of every amount). */
export interface MatrixRow {
  readonly code: string
  readonly transition: string
  readonly condition?: string
  readonly above: string
  readonly level: number
  readonly role: string
  readonly hours: number
}

export interface Transition {
  /** `submit`, `approve`, `post`, `cancel`: last segment of `POST /api/v1/data/<resource>/<id>/<action>`. */
  readonly action: string
  readonly label: string
  readonly tone: Tone
  readonly from: readonly number[]
  readonly to: number
  readonly guard: string
  /** Documents it exists for, by columns of their own; absent: all. */
  readonly when?: Condition
  /** Named tests in src/server/workflow; all must hold. */
  readonly preconditions: readonly string[]
  /** Named effects run in order inside the transaction. */
  readonly effects: readonly string[]
  readonly reason: 'none' | 'optional' | 'required'
  /** Reasons of this usage are offered. */
  readonly reasonUsage?: string
  /** Run by the system (approval engine, other documents), never offered to a user. */
  readonly system: boolean
  readonly confirm: boolean
  /** What is asked for is written into the columns of the same names. */
  readonly keeps?: true
  /** Extra input asked for in a dialog. */
  readonly params: readonly Param[]
}

/** Extra input of an action. */
export interface Param extends Field {
  /** Restricts the records offered; its `field` operands are fields of the rows the action is about. */
  readonly lookupWhere?: Condition
  /** Begins with what the record has in the column of its name, or the rows chosen if they agree; emptied it is sent as null. */
  readonly begins?: true
  /** Asked for line by line, by the id of the line: `field` is what it may not exceed and what it begins with, unless that is `begins`. Without `lines` of one document the rows chosen are asked about. */
  readonly each?: { readonly lines?: string; readonly field: Field; readonly begins?: Field; readonly columns: readonly Field[] }
}

/** Something done to a screen or its selected rows. */
export interface ScreenAction {
  readonly id: string
  readonly label: string
  readonly tone: Tone
  readonly scope: 'page' | 'rows'
  readonly guard: string
  /** Only narrows what the server already allows. */
  readonly when?: Condition
  /** Why not, where `when` does not hold; the first that holds is told. */
  readonly refusals?: readonly { readonly when: Condition; readonly text: string }[]
  readonly does:
    /** A workflow action of the screen's entity, one call and one result per row. */
    | {
        readonly kind: 'transition'
        readonly action: string
        /** Not of a workflow: what every master record knows (deactivate, activate, delete). */
        readonly isUpkeep?: true
      }
    /** A named server command, `POST /api/v1/command/<name>` with `{ IDs, ...params }`, all rows in one call. */
    | { readonly kind: 'command'; readonly command: string }
    /** Another page; `{ID}` and other wire keys are filled from the row. */
    | { readonly kind: 'goto'; readonly path: string }
    /** Edits or creates a record of the screen's entity in a side panel with this form screen. */
    | { readonly kind: 'panel'; readonly screen: string }
  /** It only answers a question: the answer stays until it is closed. */
  readonly answers?: true
  readonly params: readonly Param[]
  /** Fields of the rows by which choices of its params are restricted. */
  readonly reads?: readonly string[]
  readonly reason: 'none' | 'optional' | 'required'
  readonly reasonUsage?: string
  readonly confirm: boolean
}

export interface Column extends Field {
  /** Pixels. */
  readonly width?: number
  readonly pin?: 'left' | 'right'
  /** What survives on a narrow screen. */
  readonly importance: 'high' | 'medium' | 'low'
  readonly hidden: boolean
  readonly total?: 'sum'
  readonly sortable: boolean
  readonly filterable: boolean
  /** Path template the cell links to: `/sales-order-list/{ID}`; of several the first whose values the row has. */
  readonly link?: PathTemplate
}

interface ScreenBase {
  readonly id: string
  readonly title: string
  /** Guard that opens the screen; the server asks the same one for its data. Empty: everybody signed in. */
  readonly guard: string
  /** Permissions that single fields of it ask for; absent: none does. */
  readonly asks?: readonly string[]
}

export interface Sort {
  readonly field: string
  readonly dir: 'asc' | 'desc'
}

export interface ListScreen extends ScreenBase {
  readonly kind: 'list'
  readonly entity: string
  readonly resource: string
  readonly columns: readonly Column[]
  /** Columns a row is called by where it has no code or name. */
  readonly named?: readonly string[]
  readonly filters: readonly Field[]
  readonly sort: readonly Sort[]
  readonly presets: readonly { readonly id: string; readonly label: string; readonly where: Condition; readonly default: boolean; readonly count?: boolean }[]
  /** A whole number in the query of the address names a preset by its place. */
  readonly presetQuery?: { readonly parameter: string; readonly presets: readonly string[] }
  /** Grouping the list opens with. */
  readonly groupBy?: readonly { readonly field: string; readonly by?: 'month' | 'quarter' | 'year' }[]
  /** Old column name → new, of the entity and of the records it refers to. */
  readonly renamed?: Readonly<Record<string, string>>
  /** Column that says in which currency a row's amounts are: sums never mix them. */
  readonly currency?: string
  readonly emphasis: readonly { readonly when: Condition; readonly tone: Tone }[]
  /** Filter always applied; `{ "param": "id" }` on the right side takes a path parameter. */
  readonly where?: Condition
  /** Columns of the entity that a choice of operating unit, territory and customers narrows. */
  readonly scoped?: readonly string[]
  readonly actions: readonly ScreenAction[]
  /** Path template opened by a click or Enter on a row. */
  readonly open?: string
  /** Form or detail screen opened in the side panel instead (`?edit=<ID>`). */
  readonly panel?: string
  /** Detail screen of the quick preview; absent: the columns of the list stand for it. */
  readonly preview?: string
  /** Message key of the empty state. */
  readonly empty: string
  /** Records are put in order by hand, those of one group among themselves; `command` takes the ids of a group as they shall stand. */
  readonly order?: { readonly field: string; readonly within: string; readonly name: string; readonly command: string }
  /** Import screen that takes in what the list shows. */
  readonly importer?: string
}

export interface FormField extends Field {
  readonly when?: Condition
  readonly requiredWhen?: Condition
  readonly onHide: 'clear' | 'keep'
  readonly span: 1 | 2 | 3 | 4
  /** Restricts the lookup: lookup column → form field (wire) or constant. */
  readonly lookupWhere?: Condition
  /** Fills other fields from the chosen record: this form's field name → lookup column name. */
  readonly fills?: Readonly<Record<string, string>>
  /** While nothing is chosen: wire key of another reference, what it points to, and the column there that names the record. */
  readonly prefers?: { readonly wire: string; readonly entity: string; readonly column: string }
  /** Form screen that makes a new record from within the lookup, and the permission it takes. */
  readonly create?: { readonly screen: string; readonly guard: string }
  /** The text is the code of a record: entity by the value under the wire key `by`; other values have none. */
  readonly records?: { readonly by: string; readonly of: Readonly<Record<string, string>> }
  readonly widget?: Widget
  /** Wire key whose value stands behind the number. */
  readonly unit?: string
  readonly compute?: Compute
  /** Of a day: what the rules of its entity ask of it, and what is said of one that breaks them. The calendar offers no other, and the server takes none. */
  readonly allows?: readonly DayRule[]
  /** A change of it waits for somebody else's approval. */
  readonly approval?: true
}

/** What must hold of a day, and what is said of one of which it does not. */
export interface DayRule {
  readonly must: Condition
  readonly label: string
}

export type Widget = 'textarea' | 'radio' | 'cards' | 'select' | 'switch' | 'month' | 'tree' | 'choices' | 'tags' | 'record'

/** Ticks that say which records of another entity belong to this one. */
export interface FormTicks {
  readonly look: 'matrix' | 'tree' | 'groups'
  /** Key under which the ticked ones travel. */
  readonly wire: string
  readonly entity: string
  readonly resource: string
  /** Column that stands for a record in what is saved. */
  readonly value: Field
  readonly code: Field
  readonly label: Field
  readonly group?: Field
  readonly parent?: Field
  /** Column they are ordered by. */
  readonly sort: string
  readonly where?: Condition
}

/** What follows for other fields when one of `on` changes. */
export interface SideEffect {
  readonly on: readonly string[]
  readonly when?: Condition
  readonly set: Readonly<Record<string, string | number | boolean | null | { readonly field: string } | { readonly compute: Compute } | { readonly now: Day }>>
  /** Only where the field is empty. */
  readonly keep: boolean
}

/** What a duplicate takes over; the rest starts as in a new record. */
export interface FormCopy {
  readonly fields: readonly string[]
  /** By wire key of the lines: wire keys of their columns. */
  readonly lines: Readonly<Record<string, readonly string[]>>
  /** Path of the form for a new record. */
  readonly path: string
}

export interface FormSection {
  readonly id: string
  readonly title: string
  /** Sections with the same tab share a tab; no tab at all: one page. */
  readonly tab?: string
  /** Message key of the tab. */
  readonly tabTitle?: string
  readonly when?: Condition
  readonly fields: readonly FormField[]
  /** A line grid instead of fields. */
  readonly lines?: FormLines
  readonly ticks?: FormTicks
  /** Files of the record instead of fields. */
  readonly files?: true
  /** Hand-written part instead of fields, from the typed slot registry. */
  readonly slot?: string
  /** Stands beside the sections after it, where there is room. */
  readonly beside?: true
}

export interface LineColumn extends Field {
  readonly width: number
  readonly total?: 'sum'
  readonly entry: boolean
  /** Form that makes a record missing from the lookup, and the permission it takes. */
  readonly create?: { readonly screen: string; readonly guard: string }
  readonly lookupWhere?: Condition
  readonly fills?: Readonly<Record<string, string>>
  readonly compute?: Compute
  /** Of a day: what the rules of the line ask of it, also beside a day of the header. */
  readonly allows?: readonly DayRule[]
}

/** `field` of many lines is raised or lowered, reckoned from `of`: wire keys. */
export interface LineAdjustment {
  readonly field: string
  readonly of: string
  readonly by: 'percent' | 'points'
  readonly when?: Condition
}

/** Several lines that came of one that was entered. */
export interface LineOrigin {
  /** Wire key of its number. */
  readonly by: string
  /** Wire keys of the grid's columns → those that keep what was entered, codes and names of references among them. */
  readonly from: Readonly<Record<string, string>>
  /** What the lines are marked with. */
  readonly mark: { readonly code: string; readonly name: string; readonly label: string }
}

export interface FormLines {
  readonly name: string
  readonly wire: string
  readonly entity: string
  readonly columns: readonly LineColumn[]
  readonly paste: boolean
  /** What reads a file into the document: its header where that is empty, and its lines. */
  readonly file?: FileReader
  readonly max: number
  /** Server command that recomputes the document as typed (`price-order`); its answer fills the read-only cells and totals. */
  readonly compute?: string
  /** Wire keys of header fields that `compute` works out as one types. */
  readonly derives?: readonly string[]
  /** Wire key of the computed line that tells step by step how it came about. */
  readonly trace?: string
  readonly adjust?: LineAdjustment
  readonly origin?: LineOrigin
  /** Columns whose sum a rule of the record wants to be a decimal text, or the value of one of its fields (wire key). */
  readonly adds?: readonly { readonly wire: string; readonly to: string }[]
  /** While no line is entered, those `compute` answers with are taken over. */
  readonly propose?: true
  /** Parameter of the address with ids of candidates; they may be ticked in a list as well. */
  readonly pick?: string
  /** Wire keys of fields and columns that what `compute` answers fills in while they are empty. */
  readonly suggests?: { readonly fields: readonly string[]; readonly columns: readonly string[] }
  /** Resource of the lines, where files are entered into their cells. */
  readonly files?: string
  /** Replaces the line grid by a hand-written one from the slot registry. */
  readonly slot?: string
}

/** How a bank lays out a delimited file of statement lines. */
export type BankFile = Omit<BankfileSource, '$schema' | 'kind' | 'version'>

/** How a bank takes transfers in a delimited file. */
export type PayFile = Omit<PayfileSource, '$schema' | 'kind' | 'version'>

export interface FormScreen extends ScreenBase {
  readonly kind: 'form'
  readonly entity: string
  readonly resource: string
  readonly sections: readonly FormSection[]
  readonly lines?: FormLines
  /** Its tabs follow one another, and the address says which one is shown. */
  readonly steps?: true
  /** Message key of the button that saves, where saving is not what the form is for. */
  readonly trial?: string
  /** Header totals shown under the lines, filled by `lines.compute`. */
  readonly totals: readonly Field[]
  /** Workflow actions offered beside Save (`submit`): saves first, then moves the document. */
  readonly transitions: readonly string[]
  /** Values a new record starts with: field name → constant, `{ "param": "id" }`, `{ "user": "operating_unit_id" }` or `{ "now": "date" }`. */
  readonly defaults: Readonly<Record<string, Default>>
  /** Comments, attachments and history of the record beside the form: of whatever is stored and not a line of another; documents and masters alone take comments. */
  readonly notes?: 'all' | 'history'
  readonly sideEffects?: readonly SideEffect[]
  readonly copy?: FormCopy
  /** Statuses beside draft in which the document may be changed, with the wire keys that may be; without them all. */
  readonly editing?: readonly Editing[]
  /** Detail screen that stands in the form's place once the document can no longer be edited. */
  readonly closed?: string
  /** Path template after saving. */
  readonly after?: string
}

export type Default = string | number | boolean | { readonly param: string } | { readonly user: string } | { readonly now: Day }

export type DetailTab =
  | { readonly kind: 'fields'; readonly id: string; readonly title: string; readonly sections: readonly { readonly title: string; readonly fields: readonly Field[] }[] }
  | { readonly kind: 'lines'; readonly id: string; readonly title: string; readonly wire: string; readonly entity: string; readonly columns: readonly Column[] }
  | { readonly kind: 'list'; readonly id: string; readonly title: string; readonly screen: string; readonly params: Readonly<Record<string, string>>; /** Permission of that list: without it there is no tab. */ readonly guard: string }
  | { readonly kind: 'flow' | 'journal' | 'history' | 'attachments' | 'comments'; readonly id: string; readonly title: string }

export interface DetailScreen extends ScreenBase {
  readonly kind: 'detail'
  readonly entity: string
  readonly resource: string
  readonly facts: readonly Field[]
  readonly tabs: readonly DetailTab[]
  /** The workflow's states in order, for the status bar. */
  readonly states: readonly Choice[]
  /** Of a page: what its lists offer for one row beside the steps of the workflow. */
  readonly actions: readonly ScreenAction[]
  /** Statuses beside draft, and stages, in which it may be edited. */
  readonly editing?: readonly Editing[]
  readonly edit?: string
  /** Records edited elsewhere: the first whose condition holds. */
  readonly edits?: readonly { readonly when: Condition; readonly path: string }[]
  readonly print?: string
  /** Records there is such a paper of; absent: all. */
  readonly printWhen?: Condition
  /** Papers beside the first, with their names. */
  readonly prints?: readonly { readonly label: string; readonly path: string; readonly when?: Condition }[]
  /** Path template of a new record that starts with what this one holds. */
  readonly copy?: string
}

export interface ApprovalScreen extends ScreenBase {
  readonly kind: 'approval'
  /** Entity id of the documents decided here and the transition decided. */
  readonly docType: string
  readonly transition: string
  /** Documents the queue is of; absent: all of the transition. */
  readonly where?: Condition
  readonly columns: readonly Column[]
  /** What may be entered while approving; absent: nothing. */
  readonly params?: readonly Param[]
  /** Narrow the queue: unit, territory, customer and date of the documents, and every column that can be filtered. */
  readonly filters: readonly Field[]
  /** Detail screen shown beside the queue. */
  readonly peek: string
}

export interface ReportColumn extends Column {
  readonly role: 'dimension' | 'measure'
}

export interface ReportScreen extends ScreenBase {
  readonly kind: 'report'
  readonly dataset: string
  /** Old name → new of what its dataset offers: keeps views, bookmarks and schedules alive. */
  readonly renamed?: Readonly<Record<string, string>>
  readonly parameters: readonly ReportParameter[]
  readonly filters: readonly Field[]
  readonly columns: readonly ReportColumn[]
  readonly sort: readonly Sort[]
  /** Sub-totals per value of this column while single rows are shown. */
  readonly groupBy?: string
  /** Dimensions rows may be grouped by at run time. */
  readonly groups: readonly GroupDimension[]
  /** Dimensions that may stand across. */
  readonly across: readonly GroupDimension[]
  /** Measures of grouped rows, as columns. */
  readonly measures: readonly ReportMeasure[]
  readonly opens?: ReportOpening
  /** Chart of the single rows; a grouped report draws its groups. */
  readonly chart?: Chart
  /** May be compared with an earlier period: names of the parameters moved back. */
  readonly time?: DatasetTime
  /** Path template of a row: `/pages/invoice/{InvoiceID}`. */
  readonly drill?: PathTemplate
  /** Message key of the sentence that says what is shown; `{As_of}`-style names are filled with parameter values. */
  readonly sentence: string
  /** Sentences instead of it, by the values of these parameters: `OPEN`, `OPEN.true`. */
  readonly said?: { readonly by: readonly string[]; readonly sentences: Readonly<Record<string, string>> }
  readonly empty: string
}

/** What a report is worked out for. */
export interface ReportParameter extends Field {
  readonly defaultValue?: Default
  /** Asked for only while other parameters have one of these values. */
  readonly with?: Readonly<Record<string, readonly string[]>>
}

/** A dimension to group by. `key` is how it is written in a query: `customer_code`, `doc_date:month`. */
export interface GroupDimension extends Field {
  readonly key: string
  readonly grain?: Grain
}

/** A measure with what adding up may and may not do with it. */
export interface Measure extends Field {
  /** May be added up over rows. */
  readonly additive: boolean
  readonly agg: Aggregate
  /** Has a value on every row; counts have none. */
  readonly isColumn: boolean
  readonly good?: 'up' | 'down'
  readonly span?: MeasureSpan
}

/** Days a measure is about, by the fields of the settings that hold them: after the one, to the other. */
export interface MeasureSpan {
  readonly entity: string
  readonly after?: string
  readonly to?: string
}

export type ReportMeasure = Measure & Column

/** How many rows become one. `none`: not at all. */
export type Aggregate =
  | { readonly kind: 'sum' | 'max' | 'min' | 'count' | 'none' }
  | { readonly kind: 'countDistinct'; readonly of: string }
  /** A balance: added up over rows that agree in `of`, and nothing where they do not. */
  | { readonly kind: 'within'; readonly of: string }
  /** Worked out from the totals of both; `scale` 100 for a percent. */
  | { readonly kind: 'ratio'; readonly of: string; readonly to: string; readonly scale: 1 | 100 }

export interface ReportOpening {
  /** Keys of dimensions. */
  readonly rows: readonly string[]
  readonly across?: string
  readonly compare?: Comparison
  readonly show: 'table' | 'chart' | 'both'
  /** Where the groups can be drawn so; absent: as charts of such groups usually are. */
  readonly draw?: Drawn
}

export const chartTypes = ['line', 'bar', 'stacked', 'share'] as const

/** What groups can be drawn as. */
export const drawnTypes = ['bar', 'line', 'stacked'] as const
export type Drawn = (typeof drawnTypes)[number]

export interface Chart {
  readonly type: (typeof chartTypes)[number]
  /** Absent: the measures themselves stand along the axis. */
  readonly by?: GroupDimension
  readonly series?: GroupDimension
  readonly measures: readonly Measure[]
  readonly top?: number
  readonly horizontal: boolean
}

export interface DatasetTime {
  readonly from?: string
  readonly to?: string
  readonly as_of?: string
}

export interface DashboardScreen extends ScreenBase {
  readonly kind: 'dashboard'
  readonly tiles: readonly Tile[]
}

interface TileBase {
  readonly id: string
  readonly title: string
  readonly size: 'small' | 'medium' | 'wide' | 'full'
  /** Tiles that say the same better: this one is for those who see none of them. */
  readonly unless: readonly string[]
}

export type Tile =
  | (TileBase & { readonly kind: 'kpi'; readonly figure: Figure; readonly second?: Field; readonly compare?: Comparison; readonly target?: FigureTarget; readonly tones: readonly FigureTone[] })
  | (TileBase & { readonly kind: 'counts'; readonly items: readonly { readonly id: string; readonly title: string; readonly figure: Figure; readonly tones: readonly FigureTone[] }[] })
  | (TileBase & { readonly kind: 'chart'; readonly part: ReportPart; readonly chart: Chart })
  | (TileBase & { readonly kind: 'list'; readonly part: ReportPart; readonly by: GroupDimension; readonly measures: readonly Measure[]; readonly top: number })
  | (TileBase & { readonly kind: 'approvals' })

/** A report with parameters and a filter that a link can carry. */
export interface ReportPart {
  readonly screen: string
  readonly parameters: Readonly<Record<string, Default>>
  readonly where: readonly FlatTest[]
  readonly compare?: Comparison
}

export type Figure =
  | (ReportPart & { readonly kind: 'report'; readonly measure: Measure; readonly rows: readonly string[] })
  | { readonly kind: 'list'; readonly screen: string; readonly preset?: string; readonly where: readonly FlatTest[]; readonly total?: Field }

/** One test of a filter bar: a field, an operator and what it compares with. */
export interface FlatTest {
  readonly field: string
  readonly op: string
  readonly value: string | number | boolean | readonly (string | number)[]
}

export type FigureTarget = { readonly kind: 'value'; readonly value: string } | { readonly kind: 'measure'; readonly measure: Measure }

/** A look while the figure lies within these limits (decimal text). */
export interface FigureTone {
  readonly tone: Tone
  readonly gt?: string
  readonly ge?: string
  readonly lt?: string
  readonly le?: string
}

/** Several list screens of one desk under tabs (`?tab=`): planning, billing. */
export interface WorkbenchScreen extends ScreenBase {
  readonly kind: 'workbench'
  readonly tabs: readonly { readonly id: string; readonly title: string; readonly screen: string }[]
}

/** An import: which records the rows of an uploaded sheet become. */
export interface ImportScreen extends ScreenBase {
  readonly kind: 'import'
  /** `partial`: right rows are imported though others are wrong. */
  readonly mode: 'partial' | 'all-or-nothing'
  /** A log that shows more than the one all imports share. */
  readonly log?: 'payments'
  /** Documents are made and rolled back while a file of at most so many rows is checked; 0: never. */
  readonly rehearse: number
  /** What was imported may be taken back. */
  readonly undo: boolean
  /** Rows a file may have. */
  readonly most: number
  readonly sheets: readonly ImportSheet[]
  /** Rows name files that are sent beside the sheet: the column that names them and the field they are for. */
  readonly files?: { readonly resource: string; readonly field: string; readonly column: string; readonly types: FileRule['types'] }
}

export interface ImportSheet {
  readonly id: string
  readonly title: string
  /** Records a row becomes, the main one first. */
  readonly records: readonly ImportRecord[]
  readonly columns: readonly ImportColumn[]
  /** Names of the columns whose equal values make rows one document. */
  readonly group: readonly string[]
  /** Names of the columns whose equal values make documents bear on each other. */
  readonly together: readonly string[]
  /** What each main record goes through once it is there. */
  readonly chain?: 'order-to-invoice'
  /** Column that names a document which is there already and then goes through the chain; columns that may be empty beside it. */
  readonly existing?: { readonly column: string; readonly spares: readonly string[] }
  /** The yes/no column of rows that make no line: the document must have by itself what they name. */
  readonly given?: string
  /** Fields of the main record that name one that is there: such a row changes that record instead of making another. Absent: rows only make. */
  readonly update?: readonly string[]
  /** The yes/no column that asks for changing; absent: every row may change what it names. */
  readonly updateColumn?: string
  /** What the list shows of the record and a file does not change: a cell that says something else is told. */
  readonly kept?: readonly ImportColumn[]
  /** Workflow action taken on the main record when the yes/no column says so, always without one; `back` undoes it. */
  readonly afterwards?: { readonly action: string; readonly column?: string; readonly back?: string }
}

export interface ImportRecord {
  readonly id: string
  readonly entity: string
  /** Wire key of the main record's lines that this record is one of. */
  readonly lines?: string
  /** Column of this record that holds the id of the main one. */
  readonly owner?: string
  /** Constants by field name. */
  readonly set: Readonly<Record<string, string | number | boolean>>
  /** Fields that get the day of the import. */
  readonly today?: readonly string[]
}

/** A column of an import: the field it fills under the head it has in the template. */
export interface ImportColumn extends Field {
  /** Where the value goes; none for a column that only groups or asks for an action. */
  readonly targets: readonly { readonly record: string; readonly field: string }[]
  /** Over the values of the record it belongs to. */
  readonly requiredWhen?: Condition
  readonly distinct?: 'refuse' | 'warn'
  /** Words of the file, in capitals → choices of the field. */
  readonly words?: Readonly<Record<string, string>>
  readonly aliases: readonly string[]
  readonly example?: string
}

export type Screen = ListScreen | FormScreen | DetailScreen | ApprovalScreen | ReportScreen | WorkbenchScreen | DashboardScreen | ImportScreen
export type ScreenKind = Screen['kind']

export interface ResolvedDataset {
  readonly kind: 'dataset'
  readonly id: string
  /** Old name of a dimension, measure or parameter → new. */
  readonly renamed?: Readonly<Record<string, string>>
  /** Text of the SQL file beside it; parameters as :name, `:scope` where the row scope goes. */
  readonly sql: string
  /** Message key of its name. */
  readonly label: string
  /** What one row is: in words of its author, and a message key that says it to readers. */
  readonly grain: string
  readonly grainLabel: string
  readonly key: readonly string[]
  /** Parameter → its value → dimension one of whose values a row then is. */
  readonly rowsOf: Readonly<Record<string, Readonly<Record<string, string>>>>
  readonly guard: string
  readonly scope: { readonly operating_unit?: string; readonly territory?: string }
  /** Currency of all money measures, or the dimension that names it for each row. */
  readonly currency?: { readonly code: string } | { readonly field: string }
  /** Column with the rate at which a row is worth what it is in the currency of the books, where `in_books` asks for that. */
  readonly rate?: string
  readonly time: DatasetTime
  readonly parameters: readonly Field[]
  readonly dimensions: readonly Dimension[]
  readonly measures: readonly Measure[]
  readonly limits: {
    readonly rows: number
    readonly timeoutMs: number
    /** Its rows look at the clock themselves, for a database that cannot stop a statement. */
    readonly isWatched?: boolean
  }
}

export interface Dimension extends Field {
  /** Travels with this dimension when rows are grouped. */
  readonly describes?: string
}

export interface PostingLine {
  readonly line: number
  readonly side: 'D' | 'C'
  /** Key of the amounts the event supplies. */
  readonly amount: string
  /** `411101`, or a named selector: `AR`, `BANK`, `MONEY`, `STK`. */
  readonly account: string
}

export interface ResolvedPosting {
  readonly kind: 'posting'
  readonly event: string
  readonly journalType: string
  /** Permission without which a document does not show its journals of this event. */
  readonly readBy?: string
  /** Amounts are in the currency of the books, whatever that of the document. */
  readonly inBooks?: true
  /** Columns of the document, or of its lines (`lines.discount`), that must be zero. */
  readonly zero?: readonly string[]
  readonly lines: readonly PostingLine[]
  /** Where the amounts come from, for events that the effect `post` books. */
  readonly amounts?: Readonly<Record<string, PostingAmount>>
}

export interface PostingAmount {
  /** Column of the document, or of its lines where `each` names them. */
  readonly of: string
  readonly each?: string
  readonly when?: Condition
  /** Reference to the account for a selector; one hop: `parameter_id.account_id`. */
  readonly account?: string
  /** Column of the stock class whose account the selector `STOCK` takes. */
  readonly stock?: string
  /** Reference to the open item of the entry; `id`: the document. */
  readonly item?: string
  /** Reference to the customer or vendor it is booked for; absent: the document's. */
  readonly partner?: string
}

/** Customer preloads apply to these customer-related areas. */
export const preloadAreas = ['billing', 'ar_payment_payment_received', 'payment', 'create-credit-note', 'invoice-exchange', 'ar-payment', 'customer-limit'] as const
export type PreloadArea = (typeof preloadAreas)[number]

export interface Route {
  /** `/sales-order-list/{id}` as in the specification. */
  readonly path: string
  readonly layout: 'plain' | 'main' | 'print'
  readonly screen?: string
  /** Hand-written page, from the typed page registry. */
  readonly page?: string
  /** Layout of the page `print`, from the typed registry of print layouts. */
  readonly print?: string
  readonly redirect?: string
  /** 'always', or the menu entry that must be in the user's menu. */
  readonly guard?: 'always' | { readonly parent: string; readonly url: string }
  /** Area whose lists share one choice of operating unit, territory and customers, loaded beforehand. */
  readonly preload?: PreloadArea
  /** Fixed values handed to the screen. */
  readonly params?: Readonly<Record<string, string>>
  /** Permission a hand-written page asks for; a screen brings its own. */
  readonly permission?: string
  /** Entities of which a hand-written page or part reads records, beside what the screen shows. */
  readonly reads?: readonly string[]
  /** Commands a hand-written page or part runs, beside those the screen names. */
  readonly runs?: readonly string[]
}

export interface MenuNode {
  readonly name: string
  readonly label: string
  readonly icon: string
  /** Those under another entry stand behind it, `under` its url. */
  readonly submenu: readonly (ShownEntry & { readonly label: string; readonly kindLabel?: string; readonly scopeLabel?: string })[]
}
