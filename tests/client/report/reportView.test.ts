import { describe, expect, it } from 'vitest'
import { readState } from '#api/listState.ts'
import type { SavedView, ViewDefinition } from '#api/view.ts'
import { filterOf, readLayout, readParameters, sortIn } from '#client/pages/reportState.ts'
import { fitAddress, fixedDays, isReshaped, reportSetup, shapeOf, withoutShape } from '#client/report/reportView.ts'
import { metadata } from '#generated/metadata.ts'
import type { ReportScreen } from '#meta/resolved.ts'

const aging = reportOf('ar-aging.report')

function reportOf(id: string): ReportScreen {
  const screen = metadata.screens[id]
  if (screen?.kind !== 'report') throw new Error(`No report ${id}`)
  return screen
}

const view = (ID: number, Definition: ViewDefinition, more: Partial<SavedView> = {}): SavedView => ({
  ID, Version: 1, Screen: aging.id, Name: `View ${ID}`, OwnerID: 1, OwnerName: 'Sari', RoleID: null, RoleName: null, IsOfRole: true, IsDefault: false, CanEdit: true, Definition, ...more,
})

describe('Complaint 15: configuration fails silently: a saved view of a report', () => {
  const grouped = view(1, { chart: 'by=territory_code,customer_code&across=none&compare=month&show=both', parameters: { basis: 'INVOICE' }, sort: [{ field: 'remaining', dir: 'desc' }] })

  it('opens with its parameters and its layout; the address says what differs', () => {
    const { screen, base } = reportSetup(aging, new URLSearchParams('view=1'), [grouped])
    expect(readParameters(screen, new URLSearchParams())['basis']).toBe('INVOICE')
    const layout = readLayout(screen, new URLSearchParams())
    expect([layout.rows.map(({ key }) => key), layout.compare, layout.show]).toEqual([['territory_code', 'customer_code'], 'month', 'both'])
    expect(readLayout(screen, new URLSearchParams('by=none&compare=none')).rows).toEqual([])
    expect(sortIn(screen, { sort: base.sort ?? [] }, layout)).toEqual([{ field: 'remaining', dir: 'desc' }])
  })

  it('is chosen by address, else the personal default, else that of the role', () => {
    const views = [view(1, {}), view(2, {}, { RoleID: 7, RoleName: 'Finance', IsDefault: true }), view(3, {}, { IsDefault: true })]
    const chosen = (query: string) => reportSetup(aging, new URLSearchParams(query), views).view?.ID
    expect([chosen('view=1'), chosen(''), chosen('view=standard')]).toEqual([1, 3, undefined])
    expect(reportSetup(aging, new URLSearchParams(), views.slice(0, 2)).view?.ID).toBe(2)
    // What another role sees first is no default of whoever made it so.
    expect(reportSetup(aging, new URLSearchParams(), [view(2, {}, { RoleID: 7, RoleName: 'Finance', IsDefault: true, IsOfRole: false })]).view).toBeUndefined()
    // Somebody may prefer the report as delivered to what his role sees first.
    const standard = view(4, { standard: true }, { IsDefault: true })
    expect(reportSetup(aging, new URLSearchParams(), [...views.slice(0, 2), standard]).view).toBeUndefined()
    expect(reportSetup(aging, new URLSearchParams(), [...views.slice(0, 2), { ...standard, IsDefault: false }]).view?.ID).toBe(2)
  })

  it('says what the report no longer has instead of failing', () => {
    const { screen, dropped } = reportSetup(aging, new URLSearchParams('view=1'), [view(1, { chart: 'by=region,customer_code', parameters: { ghost: '1' }, columns: [{ name: 'gone' }, { name: 'remaining' }], filters: [{ field: 'lost', op: 'eq', value: 1 }] })])
    expect(dropped.toSorted()).toEqual(['ghost', 'gone', 'lost', 'region'])
    expect(readLayout(screen, new URLSearchParams()).rows.map(({ key }) => key)).toEqual(['customer_code'])
  })

  it('leaves out values that are none of their fields and says which, in the view as in the address', () => {
    const [day, place] = [aging.parameters.find(({ type }) => type === 'date')?.name ?? '', aging.parameters.find(({ type }) => type === 'ref')?.name]
    const wrong = { [day]: '2026-13-45', basis: 'NONSENSE', ...(place === undefined ? {} : { [place]: 'abc' }) }
    const { screen, base, dropped } = reportSetup(aging, new URLSearchParams('view=1'), [view(1, { parameters: wrong, filters: [{ field: 'customer_code', op: 'eq', value: 7 }, { field: 'customer_code', op: 'contains', value: 'C' }] })])
    expect(dropped.toSorted()).toEqual([...Object.keys(wrong), 'customer_code'].toSorted())
    expect([screen.parameters, base.filters]).toEqual([aging.parameters, [{ field: 'customer_code', op: 'contains', value: 'C' }]])
    const moving = { [day]: 'now:month-start', basis: 'INVOICE' }
    expect(reportSetup(aging, new URLSearchParams('view=1'), [view(1, { parameters: moving })]).dropped).toEqual([])

    const query = new URLSearchParams('by=customer_code,ghost&f.customer_code=in:7&f.territory_code=eq:"A&f.customer_code=contains:"C"&f.lost=eq:1')
    const address = fitAddress(aging, query, readState(query))
    expect(address.state.filters).toEqual([{ field: 'customer_code', op: 'contains', value: 'C' }])
    expect(address.dropped.toSorted()).toEqual(['customer_code', 'ghost', 'lost', 'territory_code'])
  })

  it('what is none of the values named may also have none at all, in reports as in lists', () => {
    expect(filterOf([{ field: 'territory_code', op: 'nin', value: ['A'] }])).toEqual({ all: [{ not: { territory_code: { in: ['A'] } } }] })
  })

  it('puts across only what it offers there, and says what else was asked across', () => {
    const billing = reportOf('zdr-bill.report')
    const asked = new URLSearchParams('by=customer_code&across=bill_date:day')
    const { rows, across } = readLayout(billing, asked)
    expect([rows.map(({ key }) => key), across]).toEqual([['customer_code'], undefined])
    expect(fitAddress(billing, asked, readState(asked)).dropped).toEqual(['bill_date:day'])
    const week = new URLSearchParams('by=customer_code&across=bill_date:week')
    expect(readLayout(billing, week).across?.key).toBe('bill_date:week')
    expect(fitAddress(billing, week, readState(week)).dropped).toEqual([])
    // Nor does a name it has for nothing, a value a choice does not have, an order by what is neither column nor group nor measure.
    const wrong = new URLSearchParams('DateFrom=2026-01-01&show=pie&compare=decade&draw=none&s=ghost,-customer_code&schedule=3&view=standard&q=a')
    expect(fitAddress(billing, wrong, readState(wrong)).dropped).toEqual(['DateFrom', 'show=pie', 'compare=decade', 'ghost'])
    // A day that is none: the report opens as it does without it.
    const day = new URLSearchParams('as_of=hello&by=customer_code')
    const { query, dropped: left } = fitAddress(aging, day, readState(day))
    expect([left, String(query)]).toEqual([['as_of'], 'by=customer_code'])
    const right = new URLSearchParams('as_of=2026-10-31')
    expect(fitAddress(aging, right, readState(right))).toMatchObject({ dropped: [], query: right })
    const { screen, dropped } = reportSetup(billing, new URLSearchParams('view=1'), [view(1, { chart: 'by=customer_code&across=bill_date:day' }, { Screen: billing.id })])
    expect([dropped, readLayout(screen, new URLSearchParams()).across]).toEqual([['bill_date:day'], undefined])
  })

  it('says that it compares with no earlier period where it has none, or its groups have no counterparts there', () => {
    const droppedOf = (screen: ReportScreen, text: string) => fitAddress(screen, new URLSearchParams(text), readState(new URLSearchParams(text))).dropped
    const timeless = Object.values(metadata.screens).filter((screen): screen is ReportScreen => screen?.kind === 'report' && screen.time === undefined)
    expect(timeless.length).toBeGreaterThan(0)
    for (const screen of timeless) {
      const [group] = screen.groups
      const by = group === undefined ? '' : `by=${group.key}&`
      expect([screen.id, droppedOf(screen, `${by}compare=month`), droppedOf(screen, `${by}compare=none`)]).toEqual([screen.id, ['compare=month'], []])
    }
    // Ages are of one day: a month it is due in has no counterpart.
    expect(['by=due_date:month&compare=month', 'by=customer_code&compare=month'].map((query) => droppedOf(aging, query))).toEqual([['compare=month'], []])
    expect(reportSetup(aging, new URLSearchParams('view=1'), [view(1, { chart: 'by=due_date:month&compare=year' })]).dropped).toEqual(['compare=year'])
  })

  it('follows names its dataset has given up, and says which', () => {
    const renamed: ReportScreen = { ...aging, renamed: { client: 'customer_code', open: 'remaining', ground: 'basis' } }
    const old = view(1, { chart: 'by=territory_code,client&show=both', parameters: { ground: 'INVOICE' }, sort: [{ field: 'open', dir: 'desc' }], columns: [{ name: 'client' }, { name: 'open' }], filters: [{ field: 'client', op: 'eq', value: 'client' }] })
    const { screen, base, dropped, moved } = reportSetup(renamed, new URLSearchParams('view=1'), [old])
    expect([dropped, moved]).toEqual([[], ['client', 'open', 'ground']])
    expect(readLayout(screen, new URLSearchParams()).rows.map(({ key }) => key)).toEqual(['territory_code', 'customer_code'])
    expect(readParameters(screen, new URLSearchParams())['basis']).toBe('INVOICE')
    expect(base).toEqual({ sort: [{ field: 'remaining', dir: 'desc' }], columns: [{ name: 'customer_code' }, { name: 'remaining' }], filters: [{ field: 'customer_code', op: 'eq', value: 'client' }] })
    expect(reportSetup(renamed, new URLSearchParams('view=1'), [grouped]).moved).toEqual([])
    // Saved again it holds its parameters under the names of today.
    expect(shapeOf(renamed, new URLSearchParams(), readLayout(screen, new URLSearchParams()), old.Definition).parameters).toEqual({ basis: 'INVOICE' })
  })

  it('saved again holds nothing any more that did not fit, of what it says how it is drawn either', () => {
    const old = view(1, { chart: 'by=customer_code&show=pie&draw=cake&compare=decade', parameters: { as_of: '2026-13-45', basis: 'INVOICE' } })
    const { screen, dropped } = reportSetup(aging, new URLSearchParams('view=1'), [old])
    expect(dropped).toEqual(['show=pie', 'compare=decade', 'draw=cake', 'as_of'])
    const again = { ...old, Definition: shapeOf(aging, new URLSearchParams(), readLayout(screen, new URLSearchParams()), old.Definition) }
    expect(again.Definition.parameters).toEqual({ basis: 'INVOICE' })
    expect(reportSetup(aging, new URLSearchParams('view=1'), [again]).dropped).toEqual([])
  })

  it('keeps a day that moves moving: what stands as the report opens is left out', () => {
    const query = new URLSearchParams('basis=INVOICE&by=customer_code')
    const kept = shapeOf(aging, query, readLayout(aging, query), {})
    expect(kept).toEqual({ parameters: { basis: 'INVOICE' }, chart: 'by=customer_code&across=none&compare=none&show=table' })
    expect(isReshaped(aging, query)).toBe(true)
    expect(withoutShape(aging, new URLSearchParams('basis=INVOICE&by=x&q=toko')).toString()).toBe('q=toko')
  })

  it('keeps what its groups are drawn as', () => {
    const query = new URLSearchParams('by=due_date:month&show=both&draw=line')
    const { chart = '' } = shapeOf(aging, query, readLayout(aging, query), {})
    expect(chart).toBe('by=due_date%3Amonth&across=none&compare=none&show=both&draw=line')
    const { screen } = reportSetup(aging, new URLSearchParams('view=1'), [view(1, { chart })])
    expect(readLayout(screen, new URLSearchParams()).draw).toBe('line')
    expect(readLayout(screen, new URLSearchParams('draw=none')).draw).toBeUndefined()
    expect(isReshaped(aging, query)).toBe(true)
  })

  it('says which days it holds for ever: those that were typed, by the name its report has for them today', () => {
    const query = new URLSearchParams('as_of=2026-11-15&basis=INVOICE')
    const kept = shapeOf(aging, query, readLayout(aging, query), {})
    expect(fixedDays(aging, kept)).toBe(`${aging.parameters.find(({ name }) => name === 'as_of')?.label ?? ''} 15/11/2026`)
    expect([{}, { parameters: { basis: 'INVOICE' } }, { parameters: { as_of: 'now:month-start' } }, { parameters: { as_of: '2026-13-45' } }].map((one) => fixedDays(aging, one))).toEqual(['', '', '', ''])
  })

  it('may say a day by its place before today', () => {
    const { screen } = reportSetup(aging, new URLSearchParams('view=1'), [view(1, { parameters: { as_of: 'now:month-start' } })])
    expect(readParameters(screen, new URLSearchParams())['as_of']).toMatch(/-01$/)
  })
})
