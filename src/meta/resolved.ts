import type { Condition } from '#meta/condition.ts'

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

/** Look of a badge, a row or a button. */
export type Tone = 'neutral' | 'info' | 'positive' | 'warning' | 'negative'

export interface Choice {
  /** Text for an enum, number for a status. */
  readonly value: string | number
  readonly label: string
  readonly tone: Tone
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
  /** Referenced entity of a `ref`; its code and name travel beside the id as `CustomerCode`, `CustomerName`. */
  readonly entity?: string
  readonly choices?: readonly Choice[]
  readonly maxLength?: number
  /** Decimal text, inclusive. */
  readonly min?: string
  readonly max?: string
  readonly pattern?: string
  readonly default?: string | number | boolean
}

export interface ResolvedEntity {
  readonly kind: 'entity'
  readonly id: string
  readonly table: string
  readonly base: 'plain' | 'master' | 'document' | 'line' | 'view'
  /** URL segment and guard prefix: `sales-order` → `/api/v1/data/sales-order`, guard `sales-order-view`. */
  readonly resource: string
  readonly title: string
  /** Columns shown for a record of this entity: code and name. */
  readonly display: readonly [code: string, name: string]
  readonly key: readonly (readonly string[])[]
  /** Columns that scope rows to the user's operating units and territories. */
  readonly scope: { readonly operating_unit?: string; readonly territory?: string }
  readonly series?: string
  /** Entity of the header, for a line entity; its foreign key column is `<parent>_id`. */
  readonly parent?: string
  /** Reference column whose record owns this one (address → customer_id): scope and guard follow the owner. */
  readonly owner?: string
  readonly fields: readonly EntityField[]
  readonly lines: readonly { readonly name: string; readonly wire: string; readonly entity: string }[]
  /** Columns the free text search looks at. */
  readonly search: readonly string[]
  readonly conditions: Readonly<Record<string, Condition>>
  /** old column name → new: keeps saved views and bookmarks alive. */
  readonly renamed: Readonly<Record<string, string>>
}

export interface EntityField extends Field {
  readonly nullable: boolean
  /** Never leaves the server (password hashes). */
  readonly hidden: boolean
}

export interface ResolvedWorkflow {
  readonly kind: 'workflow'
  readonly entity: string
  readonly transitions: readonly Transition[]
}

export interface Transition {
  /** `submit`, `approve`, `post`, `cancel`: last segment of `POST /api/v1/data/<resource>/<id>/<action>`. */
  readonly action: string
  readonly label: string
  readonly tone: Tone
  readonly from: readonly number[]
  readonly to: number
  readonly guard: string
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
  /** Extra input asked for in a dialog. */
  readonly params: readonly Field[]
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
  readonly does:
    /** A workflow action of the screen's entity, one call and one result per row. */
    | { readonly kind: 'transition'; readonly action: string }
    /** A named server command, `POST /api/v1/command/<name>` with `{ IDs, ...params }`, all rows in one call. */
    | { readonly kind: 'command'; readonly command: string }
    /** Another page; `{ID}` and other wire keys are filled from the row. */
    | { readonly kind: 'goto'; readonly path: string }
    /** Edits or creates a record of the screen's entity in a side panel with this form screen. */
    | { readonly kind: 'panel'; readonly screen: string }
  readonly params: readonly Field[]
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
  /** Path template the cell links to: `/sales-order-list/{ID}`. */
  readonly link?: string
}

interface ScreenBase {
  readonly id: string
  readonly title: string
  /** Guard that opens the screen; the server asks the same one for its data. */
  readonly guard: string
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
  readonly filters: readonly Field[]
  readonly sort: readonly Sort[]
  readonly presets: readonly { readonly id: string; readonly label: string; readonly where: Condition; readonly default: boolean }[]
  readonly emphasis: readonly { readonly when: Condition; readonly tone: Tone }[]
  /** Filter always applied; `{ "param": "id" }` on the right side takes a path parameter. */
  readonly where?: Condition
  readonly actions: readonly ScreenAction[]
  /** Path template opened by a click or Enter on a row. */
  readonly open?: string
  /** Form or detail screen opened in the side panel instead (`?edit=<ID>`). */
  readonly panel?: string
  /** Message key of the empty state. */
  readonly empty: string
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
  /** Hand-written part instead of fields, from the typed slot registry. */
  readonly slot?: string
}

export interface LineColumn extends Field {
  readonly width: number
  readonly total?: 'sum'
  readonly entry: boolean
  readonly lookupWhere?: Condition
  readonly fills?: Readonly<Record<string, string>>
}

export interface FormLines {
  readonly name: string
  readonly wire: string
  readonly entity: string
  readonly columns: readonly LineColumn[]
  readonly paste: boolean
  readonly max: number
  /** Server command that recomputes the document as typed (`price-order`); its answer fills the read-only cells and totals. */
  readonly compute?: string
  /** Replaces the line grid by a hand-written one from the slot registry. */
  readonly slot?: string
}

export interface FormScreen extends ScreenBase {
  readonly kind: 'form'
  readonly entity: string
  readonly resource: string
  readonly sections: readonly FormSection[]
  readonly lines?: FormLines
  /** Header totals shown under the lines, filled by `lines.compute`. */
  readonly totals: readonly Field[]
  /** Workflow actions offered beside Save (`submit`): saves first, then moves the document. */
  readonly transitions: readonly string[]
  /** Values a new record starts with: field name → constant, `{ "param": "id" }`, `{ "user": "operating_unit_id" }` or `{ "now": "date" }`. */
  readonly defaults: Readonly<Record<string, Default>>
  /** Path template after saving. */
  readonly after?: string
}

export type Default = string | number | boolean | { readonly param: string } | { readonly user: string } | { readonly now: 'date' | 'month-ago' }

export type DetailTab =
  | { readonly kind: 'fields'; readonly id: string; readonly title: string; readonly sections: readonly { readonly title: string; readonly fields: readonly Field[] }[] }
  | { readonly kind: 'lines'; readonly id: string; readonly title: string; readonly wire: string; readonly entity: string; readonly columns: readonly Column[] }
  | { readonly kind: 'list'; readonly id: string; readonly title: string; readonly screen: string; readonly params: Readonly<Record<string, string>> }
  | { readonly kind: 'flow' | 'journal' | 'history'; readonly id: string; readonly title: string }

export interface DetailScreen extends ScreenBase {
  readonly kind: 'detail'
  readonly entity: string
  readonly resource: string
  readonly facts: readonly Field[]
  readonly tabs: readonly DetailTab[]
  /** The workflow's states in order, for the status bar. */
  readonly states: readonly Choice[]
  readonly edit?: string
  readonly print?: string
}

export interface ApprovalScreen extends ScreenBase {
  readonly kind: 'approval'
  /** Entity id of the documents decided here and the transition decided. */
  readonly docType: string
  readonly transition: string
  readonly columns: readonly Column[]
  /** Detail screen shown beside the queue. */
  readonly peek: string
}

export interface ReportColumn extends Column {
  readonly role: 'dimension' | 'measure'
}

export interface ReportScreen extends ScreenBase {
  readonly kind: 'report'
  readonly dataset: string
  readonly parameters: readonly (Field & { readonly defaultValue?: Default })[]
  readonly filters: readonly Field[]
  readonly columns: readonly ReportColumn[]
  readonly sort: readonly Sort[]
  /** Sub-totals per value of this column. */
  readonly groupBy?: string
  /** Path template of a row: `/pages/invoice/{InvoiceID}`. */
  readonly drill?: string
  /** Message key of the sentence that says what is shown; `{As_of}`-style names are filled with parameter values. */
  readonly sentence: string
  readonly empty: string
}

/** Several list screens of one desk under tabs (`?tab=`): planning, billing. */
export interface WorkbenchScreen extends ScreenBase {
  readonly kind: 'workbench'
  readonly tabs: readonly { readonly id: string; readonly title: string; readonly screen: string }[]
}

export type Screen = ListScreen | FormScreen | DetailScreen | ApprovalScreen | ReportScreen | WorkbenchScreen
export type ScreenKind = Screen['kind']

export interface ResolvedDataset {
  readonly kind: 'dataset'
  readonly id: string
  /** Text of the SQL file beside it; parameters as :name, `:scope` where the row scope goes. */
  readonly sql: string
  readonly grain: string
  readonly key: readonly string[]
  readonly guard: string
  readonly scope: { readonly operating_unit?: string; readonly territory?: string }
  readonly parameters: readonly Field[]
  readonly dimensions: readonly Field[]
  readonly measures: readonly (Field & { readonly additive: boolean })[]
  readonly limits: { readonly rows: number; readonly timeoutMs: number }
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
  readonly lines: readonly PostingLine[]
}

export interface Route {
  /** `/sales-order-list/{id}` as in the specification. */
  readonly path: string
  readonly layout: 'plain' | 'main' | 'print'
  readonly screen?: string
  /** Hand-written page, from the typed page registry. */
  readonly page?: string
  readonly redirect?: string
  /** 'always', or the menu entry that must be in the user's menu. */
  readonly guard?: 'always' | { readonly parent: string; readonly url: string }
  /** Fixed values handed to the screen. */
  readonly params?: Readonly<Record<string, string>>
}

export interface MenuNode {
  readonly name: string
  readonly label: string
  readonly icon: string
  readonly submenu: readonly { readonly name: string; readonly label: string; readonly url: string; readonly guard: string }[]
}
