import type { ExportBody } from '#api/export.ts'
import type { Span } from '#api/view.ts'
import { unmarkedCurrency } from '#base/currency.ts'
import { isAmountType } from '#meta/amount.ts'
import type { Field, ListScreen, Sort } from '#meta/resolved.ts'
import { requireEntityGuard } from '#server/access/guards.ts'
import type { Row, User } from '#server/context.ts'
import { columnRef, isDecimalType, RecordQuery, visibleColumn, type ColumnRef } from '#server/documents/columns.ts'
import { entityOfResource, fieldMap } from '#server/documents/entities.ts'
import { columnsAsked, whereOf, type ListRequest } from '#server/documents/listQuestion.ts'
import { sql } from '#server/db/sql.ts'
import { recordsByIds, selectIds, type GroupLead } from '#server/documents/selectIds.ts'
import { invalid, wrong } from '#server/problemError.ts'
import type { Services } from '#server/services.ts'
import { textsOf } from '#server/texts.ts'
import { aboutExport } from './aboutExport.ts'
import { describeFilter } from './describeFilter.ts'
import { fileColumns, fileGroup, sumOf } from './exportColumns.ts'
import type { ExportPlan, RowSource } from './exportTable.ts'
import type { LocalTime } from './localTime.ts'

const rowsAtOnce = 2_500

/** The rows of a list as it is seen: its filter, order and columns, within the scope of the user. Needs the guards to see and to export. */
export async function planList(services: Services, user: User, screen: ListScreen, body: ExportBody, time: LocalTime): Promise<ExportPlan> {
  const { metadata, database: queries } = services
  const entity = entityOfResource(metadata, screen.resource)
  requireEntityGuard(metadata, user, entity, 'list')
  requireEntityGuard(metadata, user, entity, 'export')
  const translate = textsOf(body.language)
  const wanted = body.columns.map((column) => ({ ...column, ref: known(visibleColumn(metadata, user, entity, column.name), column.name) }))
  const groups = (body.groupBy ?? []).map((grouping) => ({ ...grouping, ref: known(visibleColumn(metadata, user, entity, grouping.field), grouping.field) }))
  const currency = columnRef(metadata, entity, 'currency')
  const asked = body.sort ?? []
  const leads = leadsOf(screen, asked, groups, wanted.map(({ ref }) => ref))
  // Said of the file: the groups first, unless a sum puts them in order.
  const sort = leads.some(({ sum }) => sum !== undefined) ? asked : groupsFirst(asked, leads.map(({ column, dir }) => ({ field: column.name, dir })))
  const columns = [...new Map([...wanted.map(({ ref }) => ref), ...groups.map(({ ref }) => ref), currency].flatMap((ref) => (ref === undefined ? [] : [[ref.name, ref] as const]))).values()]
  const request: ListRequest = {
    services, queries, user, entity,
    query: {
      columns: wanted.map(({ ref }) => ref.name).join(','),
      order: asked.map(({ field }) => field).join(','),
      sort: asked.map(({ dir }) => dir).join(','),
      ...(body.search === undefined ? {} : { search: body.search }),
      ...(body.filter === undefined ? {} : { filter: JSON.stringify(body.filter) }),
    },
  }
  const shown = (ref: ColumnRef): Field => {
    const own = screen.columns.find((column) => column.name === ref.name)
    return { ...ref.field, name: ref.name, wire: ref.wire, label: own?.label ?? ref.field.label, ...(own?.choices === undefined ? {} : { choices: own.choices }) }
  }
  const field = (name: string): Field | undefined => {
    const ref = columnRef(metadata, entity, name)
    return ref && shown(ref)
  }
  const isCurrencyTold = currency !== undefined && wanted.some(({ ref }) => isAmount(ref)) && (await hasOtherCurrencies(request, currency))
  const isCurrencyAdded = isCurrencyTold && !wanted.some(({ ref }) => ref.name === currency.name)
  const firstAmount = wanted.findIndex(({ ref }) => isAmount(ref))
  const filter = await describeFilter({ metadata, queries, translate, field }, body.filter)
  return {
    title: translate(screen.title),
    columns: wanted.flatMap(({ ref, width, isPinned = false }, i) => [
      ...(isCurrencyAdded && i === firstAmount ? fileColumns({ field: shown(currency), width: 90, isPinned, total: undefined }, translate) : []),
      ...fileColumns({ field: shown(ref), width, isPinned, total: isSummed(screen, ref) ? sumOf(ref.wire) : undefined }, translate),
    ]),
    groups: groups.map(({ ref, by }) => fileGroup(shown(ref), by, translate)),
    currency: currency?.wire,
    isCurrencyTold,
    hasTotals: body.hasTotals,
    about: await aboutExport({ services, user, translate, time, body, filter, sort: sort.map((entry) => ({ ...entry, field: field(entry.field) })), groups: groups.map(({ ref, by }) => ({ field: shown(ref), by })) }),
    translate,
    rows: async (work) => work(await slices(request, columns, leads)),
  }
}

function isAmount({ field, over }: ColumnRef): boolean {
  return over === undefined && isAmountType(field.type)
}

async function hasOtherCurrencies(request: ListRequest, currency: ColumnRef): Promise<boolean> {
  const { services, queries, entity } = request
  const builder = new RecordQuery(services.metadata, entity)
  const condition = whereOf(request, builder, columnsAsked(request))
  const value = builder.value(currency)
  const row = await queries.first(sql`select exists(select 1 from ${builder.from()} where ${condition} and ${value} <> ${unmarkedCurrency}) as found`)
  return row?.['found'] === true
}

/** Only what is a plain number of the record itself is added up: a customer's limit on each of his orders is not. */
function isSummed(screen: ListScreen, ref: ColumnRef): boolean {
  const isNumber = isDecimalType(ref.field.type) || ref.field.type === 'integer'
  return isNumber && screen.columns.some((column) => column.name === ref.name && column.total === 'sum')
}

async function slices(request: ListRequest, columns: readonly ColumnRef[], leads: readonly GroupLead[]): Promise<RowSource> {
  const { entity } = request
  const ids = await selectIds(request, leads)
  const read = (from: number): Promise<readonly Row[]> => recordsByIds(request, columns.filter((column) => !fieldMap(entity).get(column.field.name)?.hidden), ids.slice(from, from + rowsAtOnce))
  return {
    total: ids.length,
    isEmpty: ids.length === 0,
    each: async (work) => {
      let next = ids.length === 0 ? undefined : read(0)
      for (let from = 0; next !== undefined; from += rowsAtOnce) {
        const rows = await next
        // The database looks up the next slice while this one is written.
        next = from + rowsAtOnce < ids.length ? read(from + rowsAtOnce) : undefined
        next?.catch(() => undefined)
        await work(rows)
      }
    },
  }
}

function known(ref: ColumnRef | undefined, name: string): ColumnRef {
  return ref ?? invalid([wrong('columns', 'UNKNOWN_FIELD.column', { column: name.slice(0, 80) })])
}

/** Groups stand as on the screen: as they are sorted by, else by the sum that is sorted by first, else days newest first and others by their value. */
function leadsOf(screen: ListScreen, asked: readonly Sort[], groups: readonly { readonly ref: ColumnRef; readonly by?: Span | undefined }[], shown: readonly ColumnRef[]): readonly GroupLead[] {
  const [first] = asked
  const summed = shown.find((ref) => ref.name === first?.field && isSummed(screen, ref))
  return groups.map(({ ref, by }) => {
    const own = asked.find(({ field }) => field === ref.name)
    const sum = own === undefined ? summed : undefined
    const isDay = ref.field.type === 'date' || ref.field.type === 'datetime'
    return { column: ref, by, sum, dir: (own ?? (sum === undefined ? undefined : first))?.dir ?? (isDay ? 'desc' : 'asc') }
  })
}

/** Rows of a group stand together: the groups lead the order, in the direction asked for if they were. */
export function groupsFirst(sort: readonly Sort[], groups: readonly Sort[]): readonly Sort[] {
  const leading = groups.map((group) => sort.find(({ field }) => field === group.field) ?? group)
  return [...leading, ...sort.filter(({ field }) => !groups.some((group) => group.field === field))].slice(0, 8)
}
