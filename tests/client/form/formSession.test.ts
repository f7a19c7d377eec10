import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FormSession } from '#client/form/formSession.ts'
import type { FormCalls, Sending, SlotPart } from '#client/form/formState.ts'
import { accept, refuse } from '#base/result.ts'
import { setValues } from '#client/grid/gridModel.ts'
import { orderColumns } from '../grid/lineColumns.ts'
import { isSettled, settle, sidesOf } from '#client/form/clash.ts'
import type { FormField, FormScreen } from '#meta/resolved.ts'
import type { FormValidation } from '#meta/formValidation.ts'
import type { Refusal } from '#client/data/http.ts'
import type { WireRecord } from '#api/envelope.ts'

const field = (name: string, wire: string, more: Partial<FormField> = {}): FormField => ({ name, wire, type: 'text', label: `field.${name}`, required: false, readOnly: false, onHide: 'clear', span: 1, ...more })

const screen: FormScreen = {
  kind: 'form',
  id: 'order.form',
  title: 'screen.order',
  guard: 'order-create',
  entity: 'order',
  resource: 'order',
  sections: [{ id: 'head', title: 'section.head', fields: [field('customer_id', 'CustomerID', { type: 'ref', entity: 'customer', required: true }), field('note', 'Note'), field('phone', 'Phone')] }],
  lines: { name: 'lines', wire: 'Lines', entity: 'order_line', columns: orderColumns, paste: true, max: 100, compute: 'price-order' },
  totals: [],
  transitions: ['submit'],
  defaults: { doc_date: { now: 'date' } },
}

const validation: FormValidation = {
  schema: { type: 'object', properties: { CustomerID: {}, Note: {}, Phone: {} } },
  validators: { 'order.form': () => true },
  validateRow: {},
}

const refusal = (code: Refusal['code'], more: Partial<Refusal> = {}): Refusal => ({ code, status: 422, text: code, errors: [], warnings: [], ...more })
const stored = (more: object = {}): WireRecord => ({ ID: 7, Version: 1, Status: 0, CustomerID: 17, CustomerCode: 'C1', CustomerName: 'Toko', Note: 'a', Phone: '1', Lines: [{ ID: 1, ItemID: 1, ItemCode: 'A', Qty: '24.000', Uom: 'CTN' }], ...more })

/** Every call a test did not give throws. */
function session(calls: Partial<FormCalls>, recordId?: number, done: string[] = [], of: FormScreen = screen, copyOf?: number) {
  const missing = (name: string) => () => {
    throw new Error(`Unexpected call ${name}`)
  }
  const form = new FormSession({
    screen: of,
    copyOf,
    validation,
    calls: { read: missing('read'), create: missing('create'), save: missing('save'), transition: missing('transition'), compute: missing('compute'), options: missing('options'), ...calls },
    around: { user: {}, today: '2025-06-10', params: {} },
    recordId,
    draftKey: (id) => `draft:${id ?? 'new'}`,
    now: () => '2025-06-10T08:00:00Z',
    onDone: (record, action, isLeft) => done.push(`${record.ID} ${action ?? 'saved'}${isLeft ? ' left' : ''}`),
  })
  begun.push(form)
  return form
}

const begun: FormSession[] = []

// What a form does later (asking for prices) is none of the next test's business.
afterEach(() => {
  for (const form of begun.splice(0)) form.close()
})

/** What the dialog about a clash asks. */
const asked = (form: FormSession) => (form.state.clash === undefined ? undefined : sidesOf(form, form.state.clash))

/** Goes on from it with these of theirs. */
function settleWith(form: FormSession, ...theirs: readonly string[]): void {
  const { clash } = form.state
  if (clash === undefined) throw new Error('There is no clash')
  settle(form, clash, sidesOf(form, clash), new Set(theirs))
}

const enterLine = ({ lines }: FormSession): void => lines?.edit(lines.rows.map((row) => ({ ...row, values: { ItemID: 1, ItemCode: 'A', Qty: '5', Uom: 'CTN' } })))

beforeEach(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => kept.set(key, value), removeItem: (key: string) => kept.delete(key) })
})

it('has nothing at stake once it was saved with what was typed taken back', async () => {
  const done: string[] = []
  const form = session({ read: async () => accept({ record: stored() }), compute: async () => refuse(refusal('NETWORK')) }, 7, done)
  await form.open()
  form.begins()
  form.typing()
  expect(form.isAtStake).toBe(true)
  await form.save()
  expect([done, form.isAtStake]).toEqual([['7 saved'], false])
})

it('sends no lines of a document in work of which only some fields are open', async () => {
  const sent: unknown[] = []
  const form = session({
    read: async () => accept({ record: stored({ Status: 8, Stage: 'LOADING' }) }), compute: async () => refuse(refusal('NETWORK')),
    save: async (_resource, _id, _version, body) => {
      sent.push(body)
      return accept({ record: stored({ Status: 8, Stage: 'LOADING', Version: 2, Note: 'late' }) })
    },
  }, 7, [], { ...screen, editing: [{ status: 8, stage: 'LOADING', fields: ['Note'] }] })
  await form.open()
  form.store.set({ Note: 'late' })
  await form.save()
  expect(sent).toEqual([expect.objectContaining({ Note: 'late' })])
  expect(sent[0]).not.toHaveProperty('Lines')
})

describe('a day beyond a rule', () => {
  const until = field('valid_to', 'ValidTo', { type: 'date', allows: [{ must: { valid_to: { ge: { field: 'valid_from' } } }, label: 'rule.valid-range' }] })
  const valid: FormScreen = { ...screen, sections: [{ id: 'head', title: 'section.head', fields: [field('valid_from', 'ValidFrom', { type: 'date' }), until] }] }

  it('is told when the field is left, sends nothing, and is right once the day it is held against is', async () => {
    const form = session({ compute: async () => refuse(refusal('NETWORK')) }, undefined, [], valid)
    await form.open()
    form.store.set({ ValidTo: '2025-06-01' })
    form.checkField('ValidTo')
    expect(form.store.problems).toEqual({})
    form.store.set({ ValidFrom: '2025-06-02' })
    form.checkField('ValidFrom')
    expect(form.store.problems).toEqual({})
    form.checkField('ValidTo')
    expect(form.store.problems).toEqual({ ValidTo: { key: 'rule.valid-range' } })
    await form.save()
    expect(form.state.problems).toMatchObject([{ message: { key: 'rule.valid-range' }, to: { wire: 'ValidTo' } }])
    form.store.set({ ValidFrom: '2025-06-01' })
    form.checkField('ValidFrom')
    expect([form.store.problems, form.state.problems]).toEqual([{}, []])
  })
})

describe('a day of a line beyond a rule', () => {
  const ends = field('valid_to', 'ValidTo', { type: 'date' })
  const allows = [
    { must: { valid_to: { le: { now: 'date' } } }, label: 'rule.not-ahead' },
    { must: { any: [{ uom: 'END' }, { valid_to: { ge: { field: 'valid_from' } } }] }, label: 'rule.valid-range' },
  ] as const
  const column = { ...ends, width: 100, entry: true, allows }
  const uom = { ...field('uom', 'Uom'), width: 80, entry: true }
  const valid: FormScreen = {
    ...screen,
    sections: [{ id: 'head', title: 'section.head', fields: [field('valid_from', 'ValidFrom', { type: 'date' })] }],
    lines: { name: 'lines', wire: 'Lines', entity: 'order_line', columns: [uom, column], paste: true, max: 100 },
  }
  const enter = (form: FormSession, values: object) => form.lines?.edit(setValues(form.lines.rows, 0, { ...values }))
  const said = (form: FormSession) => form.lines?.rows[0]?.problems['ValidTo']

  it('is told as it is entered, and right once what it is held against is', async () => {
    const form = session({}, undefined, [], valid)
    await form.open()
    enter(form, { ValidTo: '2025-06-11' })
    expect(said(form)).toEqual({ key: 'rule.not-ahead' })
    enter(form, { ValidTo: '2025-06-01' })
    expect(said(form), 'nothing is held against a field still empty').toBeUndefined()
    form.store.set({ ValidFrom: '2025-06-02' })
    form.checkField('ValidFrom')
    expect(said(form)).toEqual({ key: 'rule.valid-range' })
    await form.save()
    expect(form.state.problems).toMatchObject([{ message: { key: 'rule.valid-range' }, to: { kind: 'line', wire: 'ValidTo' } }])
    enter(form, { Uom: 'END' })
    expect([said(form), form.state.problems]).toEqual([undefined, []])
    enter(form, { Uom: 'PCS' })
    expect(said(form)).toEqual({ key: 'rule.valid-range' })
    form.store.set({ ValidFrom: '2025-06-01' })
    form.checkField('ValidFrom')
    expect([said(form), form.state.problems]).toEqual([undefined, []])
  })

  it('is told of lines that came with a draft or the record when they are left', async () => {
    const form = session({ read: async () => accept({ record: stored({ ValidFrom: '2025-06-05', Lines: [{ ID: 1, Uom: 'CTN', ValidTo: '2025-06-01' }] }) }) }, 7, [], valid)
    await form.open()
    expect(said(form)).toBeUndefined()
    form.checkLine('Lines', form.lines?.rows[0]?.key ?? '')
    expect(said(form)).toEqual({ key: 'rule.valid-range' })
    expect(form.lines?.allows(column, form.lines.rows[0], '2025-06-05')).toBe(true)
    expect(form.lines?.allows(column, form.lines.rows[0], '2025-06-04')).toBe(false)
  })
})

describe('a new record begun for another one', () => {
  const begun: FormScreen = { ...screen, defaults: { customer_id: 17 } }

  it('has the name of it, or waits to be begun again', async () => {
    const answers: Awaited<ReturnType<FormCalls['options']>>[] = [refuse(refusal('NETWORK')), accept([{ ID: 17, Code: 'C1', Name: 'Toko' }])]
    const form = session({ options: async () => answers.shift() ?? accept([]) }, undefined, [], begun)
    await form.open()
    expect([form.state.phase, form.state.refusal?.code]).toEqual(['failed', 'NETWORK'])
    await form.open()
    expect([form.state.phase, form.store.values]).toMatchObject(['ready', { CustomerID: 17, CustomerCode: 'C1', CustomerName: 'Toko' }])
  })

  it('does without a name that may not be seen', async () => {
    const form = session({ options: async () => refuse(refusal('FORBIDDEN_GUARD')) }, undefined, [], begun)
    await form.open()
    expect([form.state.phase, form.store.values['CustomerID'], form.store.values['CustomerName']]).toEqual(['ready', 17, undefined])
  })
})

describe('a record that came before its form', () => {
  it('is on view before anything is read, and read once', async () => {
    const record = stored()
    let reads = 0
    const form = session({ foreseen: () => record, read: async () => (reads++, accept({ record })) }, 7)
    expect([form.state.phase, form.isNew, form.store.values['Note'], form.lines?.rows[0]?.values['ItemCode']]).toEqual(['ready', false, 'a', 'A'])
    const phases: string[] = []
    form.subscribe(() => phases.push(form.state.phase))
    form.store.set({ Note: 'typed' })
    await form.open()
    expect([reads, form.store.values['Note'], form.state.isDirty]).toEqual([1, 'typed', true])
    expect(phases).not.toContain('loading')
  })

  it('gives way to one that is newer by the time it is read, and is read anew when asked again', async () => {
    let version = 1
    const form = session({ foreseen: () => stored(), read: async () => accept({ record: stored({ Version: ++version, Note: `note ${version}` }) }) }, 7)
    await form.open()
    expect(form.store.values['Note']).toBe('note 2')
    await form.open()
    expect([form.store.values['Note'], form.state.record?.Version]).toEqual(['note 3', 3])
  })

  it('that is older than what is read stays while it is typed into: saving finds what others changed', async () => {
    const form = session({ foreseen: () => stored(), read: async () => accept({ record: stored({ Version: 2, Note: 'theirs' }) }) }, 7)
    const opened = form.open()
    form.store.set({ Note: 'mine' })
    await opened
    expect([form.store.values['Note'], form.state.record?.Version, form.state.isDirty]).toEqual(['mine', stored().Version, true])
  })

  it('read anew because something about it has changed leaves what is being typed as a draft', async () => {
    let version = 0
    const form = session({ read: async () => accept({ record: stored({ Version: ++version }) }) }, 7)
    await form.open()
    form.store.set({ Note: 'mine' })
    await form.open()
    expect(form.store.values['Note']).toBe('a')
    expect(form.state.draft?.values['Note']).toBe('mine')
  })

  it('that is gone by the time it is read is said, and what was typed meanwhile is kept', async () => {
    const form = session({ foreseen: () => stored(), read: async () => refuse(refusal('NOT_FOUND')) }, 7)
    const opened = form.open()
    form.store.set({ Note: 'mine' })
    await opened
    expect([form.state.phase, JSON.parse(localStorage.getItem('draft:7') ?? '[]')]).toMatchObject(['failed', [{ values: { Note: 'mine' } }]])
  })

  it('offers the draft that says something else', async () => {
    localStorage.setItem('draft:7', JSON.stringify({ at: '2025-06-10T07:00:00Z', version: 1, values: { Note: 'kept' }, lines: {} }))
    const record = stored()
    const form = session({ foreseen: () => record, read: async () => accept({ record }) }, 7)
    expect(form.state.draft?.values['Note']).toBe('kept')
    await form.open()
    form.restoreDraft()
    expect(form.store.values['Note']).toBe('kept')
  })

  it('that is missing or refused is said as always', async () => {
    const form = session({ foreseen: () => undefined, read: async () => refuse(refusal('NOT_FOUND')) }, 7)
    expect(form.state.phase).toBe('loading')
    await form.open()
    expect([form.state.phase, form.state.refusal?.code]).toEqual(['failed', 'NOT_FOUND'])
  })
})

describe('a new order', () => {
  it('names everything missing and sends nothing', async () => {
    const form = session({})
    await form.open()
    form.lines?.edit(form.lines.rows.map((row) => ({ ...row, values: { Qty: '3' } })))
    await form.save()
    expect(form.state.problems.map(({ label, line }) => [label, line])).toEqual([['field.customer_id', undefined], ['field.item_id', 1], ['field.uom', 1]])
    form.close()
  })

  it('saves header and lines and submits in one command', async () => {
    const sent: unknown[] = []
    const done: string[] = []
    const form = session(
      {
        // Moved on at once it comes without lines and names.
        create: async (resource, body, sending) => (sent.push([resource, body, typeof sending.key, sending.next]), accept({ record: { ID: 7, Version: 2, Status: 4, CustomerID: 17, Total: '99.00' } })),
      },
      undefined,
      done,
    )
    await form.open()
    form.store.set({ CustomerID: 17, CustomerCode: 'C1', CustomerName: 'Toko' })
    form.lines?.edit(form.lines.rows.map((row) => ({ ...row, values: { ItemID: 1, ItemCode: 'A', Qty: '24', Uom: 'CTN', Total: '99' } })))
    await form.save('submit')
    expect(sent).toEqual([['order', { DocDate: '2025-06-10', CustomerID: 17, Note: null, Phone: null, Lines: [{ LineNo: 1, ItemID: 1, Qty: '24', Uom: 'CTN' }] }, 'string', 'submit']])
    expect(done).toEqual(['7 submit'])
    expect(form.state).toMatchObject({ isDirty: false, busy: false, record: { ID: 7, Status: 4, CustomerName: 'Toko' } })
    expect(form.lines?.rows[0]?.values).toMatchObject({ ItemID: 1, Qty: '24' })
    form.close()
  })

  it('is not made when its submission is refused, and asks with what was typed still there', async () => {
    const sendings: Sending[] = []
    const done: string[] = []
    const form = session(
      {
        create: async (_resource, _body, sending) => {
          sendings.push(sending)
          return sending.acknowledge?.includes('TX01') === true ? accept({ record: stored({ Status: 1 }) }) : refuse(refusal('WARNINGS', { warnings: [{ id: 'TX01', code: 'TX01', key: 'warning.TX01', text: 'No NPWP.' }] }))
        },
      },
      undefined,
      done,
    )
    await form.open()
    form.store.set({ CustomerID: 17 })
    await form.save('submit')
    expect(form.state).toMatchObject({ isDirty: true, busy: false, record: undefined })
    expect(done).toEqual([])
    await form.acknowledge()
    expect(sendings.map(({ next, acknowledge }) => [next, acknowledge])).toEqual([['submit', []], ['submit', ['TX01']]])
    expect(sendings[0]?.key).toBe(sendings[1]?.key)
    expect(done).toEqual(['7 submit'])
    form.close()
  })

  it('moves a record that stands as it was read without saving it, and a changed one with it', async () => {
    const sent: unknown[] = []
    const form = session(
      {
        read: async () => accept({ record: stored() }),
        save: async (_resource, id, version, _body, sending) => (sent.push(['save', id, version, sending.next]), refuse(refusal('CREDIT_BLOCKED'))),
        transition: async (_resource, id, action, version) => (sent.push([action, id, version]), refuse(refusal('CREDIT_BLOCKED'))),
        compute: async () => refuse(refusal('NETWORK')),
      },
      7,
    )
    await form.open()
    await form.save('submit')
    form.store.set({ Note: 'b' })
    await form.save('submit')
    await form.save()
    expect(sent).toEqual([['submit', 7, 1], ['save', 7, 1, 'submit'], ['save', 7, 1, undefined]])
    form.close()
  })

  it('sends the same key again after a refusal that changed nothing, and after an edit too while it is new', async () => {
    for (const recordId of [undefined, 7]) {
      const keys: (string | undefined)[] = []
      const refused = (sending: Sending) => (keys.push(sending.key), refuse(refusal('SERVICE_UNAVAILABLE')))
      const form = session(
        {
          read: async () => accept({ record: stored() }),
          create: async (_resource, _body, sending) => refused(sending),
          save: async (_resource, _id, _version, _body, sending) => refused(sending),
          compute: async () => refuse(refusal('NETWORK')),
        },
        recordId,
      )
      await form.open()
      form.store.set({ CustomerID: 17, Note: 'b' })
      await form.save()
      await form.save()
      form.store.set({ Note: 'x' })
      await form.save()
      expect([keys.length, keys[1] === keys[0], keys[2] === keys[0]]).toEqual([3, true, recordId === undefined])
      form.discard()
      form.close()
    }
  })

  it('asks before going on when the server warns', async () => {
    const sendings: Sending[] = []
    const form = session({
      create: async (_resource, _body, sending) => {
        sendings.push(sending)
        return sending.acknowledge?.includes('w1') === true ? accept({ record: stored() }) : refuse(refusal('WARNINGS', { warnings: [{ id: 'w1', code: 'PO', key: 'warning.X', text: 'This PO number is known.' }] }))
      },
    })
    await form.open()
    form.store.set({ CustomerID: 17 })
    await form.save()
    expect(form.state.warnings.map((warning) => warning.text)).toEqual(['This PO number is known.'])
    await form.acknowledge()
    expect(sendings.map((sending) => sending.acknowledge)).toEqual([[], ['w1']])
    expect(sendings[0]?.key).toBe(sendings[1]?.key)
    form.close()
  })

  it('keeps what was accepted when the server goes on to warn of more', async () => {
    const sendings: (readonly string[])[] = []
    const form = session({
      create: async (_resource, _body, { acknowledge = [] }) => {
        sendings.push(acknowledge)
        const open = ['w1', 'w2'].find((id) => !acknowledge.includes(id))
        return open === undefined ? accept({ record: stored() }) : refuse(refusal('WARNINGS', { warnings: [{ id: open, code: 'PO', key: 'warning.X', text: open }] }))
      },
    })
    await form.open()
    form.store.set({ CustomerID: 17 })
    await form.save()
    await form.acknowledge()
    await form.acknowledge()
    expect(sendings).toEqual([[], ['w1'], ['w1', 'w2']])
    form.close()
  })

  it('puts problems of the server at their fields and cells', async () => {
    const form = session({
      create: async () => refuse(refusal('VALIDATION_FAILED', { errors: [{ field: 'Note', code: 'X', key: 'field.X', text: 'Too odd.' }, { field: 'Lines[0].Qty', code: 'MQ01', key: 'field.MQ01', text: 'Below the minimum.' }, { field: 'Total', code: 'Y', key: 'field.Y', text: 'Too much.' }] })),
    })
    await form.open()
    form.store.set({ CustomerID: 17 })
    form.lines?.edit(form.lines.rows.map((row) => ({ ...row, values: { ItemID: 1, Qty: '1', Uom: 'CTN' } })))
    await form.save()
    expect(form.store.problems).toEqual({ Note: { text: 'Too odd.' } })
    expect(form.lines?.rows[0]?.problems).toEqual({ Qty: { text: 'Below the minimum.' } })
    expect(form.state.problems.map((problem) => problem.to.kind)).toEqual(['field', 'line', 'whole'])
    form.store.set({ Note: 'even' })
    expect(form.state.problems.map((problem) => problem.to.kind)).toEqual(['line', 'whole'])
    form.close()
  })

  it('finds the line it was said of although lines were put between while it was on its way', async () => {
    let answer = () => {}
    const create = () => new Promise<ReturnType<typeof refuse<Refusal>>>((resolve) => (answer = () => resolve(refuse(refusal('VALIDATION_FAILED', { errors: [{ field: 'Lines[1].Qty', code: 'MQ01', key: 'field.MQ01', text: 'Below the minimum.' }, { field: 'Lines[0].Qty', code: 'MQ01', key: 'field.MQ01', text: 'Too few.' }] })))))
    const form = session({ create, compute: async () => refuse(refusal('NETWORK')) })
    await form.open()
    form.store.set({ CustomerID: 17 })
    const line = (key: string) => ({ key, values: { ItemID: 1, Qty: '1', Uom: 'CTN' }, problems: {}, fixed: false })
    form.lines?.edit([line('a'), line('b')])
    const saving = form.save()
    await vi.waitFor(() => expect(form.state.busy).toBe('saving'))
    form.lines?.edit([line('new'), line('other'), ...(form.lines?.rows.filter(({ key }) => key === 'b') ?? [])])
    answer()
    await saving
    expect(form.lines?.rows.slice(0, 3).map(({ key, problems }) => [key, problems])).toEqual([['new', {}], ['other', {}], ['b', { Qty: { text: 'Below the minimum.' } }]])
    expect(form.state.problems.map(({ line, to }) => [line, to.kind])).toEqual([[3, 'line'], [undefined, 'whole']])
  })
})

describe('what is typed while the form is being saved', () => {
  /** A form that has been sent; `answer` lets the server speak. */
  async function sent(of: FormScreen = screen, action?: string, recordId: number | undefined = 7) {
    let answer: (record: WireRecord) => void = () => undefined
    const saved: unknown[] = []
    const save = (body: unknown) => (saved.push(body), new Promise<ReturnType<typeof accept<{ record: WireRecord }>>>((done) => (answer = (record) => done(accept({ record })))))
    const done: string[] = []
    const calls: Partial<FormCalls> = { read: async () => accept({ record: stored() }), create: async (_, body) => await save(body), save: async (_, _id, _version, body) => await save(body), compute: async () => refuse(refusal('NETWORK')) }
    const form = session(calls, recordId, done, of)
    await form.open()
    if (recordId === undefined) form.store.set({ CustomerID: 17 })
    form.store.set({ Note: 'b' })
    const saving = form.save(action)
    await Promise.resolve()
    return { form, saved, done, answer: async (record: WireRecord) => (answer(record), await saving) }
  }

  it('stays, the rest is the server’s, and only that is unsaved', async () => {
    const { form, saved, answer } = await sent()
    form.store.set({ Phone: '2', CustomerID: 18, CustomerCode: 'C2', CustomerName: 'Toko' })
    await answer(stored({ Version: 2, Note: 'B' }))
    expect(form.store.values).toMatchObject({ Note: 'B', Phone: '2', CustomerID: 18, CustomerCode: 'C2', CustomerName: 'Toko' })
    expect([form.store.changedFields, form.state.isDirty, form.state.busy, form.state.record?.Version]).toEqual([['CustomerID', 'Phone'], true, false, 2])
    const again = form.save()
    await Promise.resolve()
    expect(saved[1]).toMatchObject({ Note: 'B', Phone: '2', CustomerID: 18 })
    await Promise.race([again, Promise.resolve()])
  })

  it('stays in its input, which is not drawn anew', async () => {
    const { form, done, answer } = await sent()
    const { generation } = form.store
    form.begins()
    form.typing()
    await answer(stored({ Version: 2, Note: 'b' }))
    expect([form.store.generation === generation, form.state.isDirty, form.isAtStake, done]).toEqual([true, true, true, ['7 saved left']])
    form.typed()
    expect(form.isAtStake).toBe(false)
  })

  it('stays where it is no value', async () => {
    const { form, answer } = await sent()
    form.store.setUnread('Phone', { key: 'ui.entry.number' }, 'x')
    await answer(stored({ Version: 2, Note: 'b' }))
    expect([form.store.typed, form.state.isDirty]).toEqual([{ Phone: 'x' }, true])
  })

  it('stays in its line, which is the saved one from then on', async () => {
    const { form, saved, answer } = await sent()
    const { lines } = form
    lines?.edit(setValues(lines.rows, 0, { Qty: '25' }))
    lines?.edit(setValues(lines.rows, 1, { ItemID: 2, ItemCode: 'B', Qty: '1', Uom: 'PCS' }))
    const keys = lines?.rows.map(({ key }) => key)
    await answer(stored({ Version: 2, Note: 'b', Lines: [{ ID: 1, Version: 2, ItemID: 1, ItemCode: 'A', Qty: '24.000', Uom: 'BOX' }] }))
    expect(lines?.rows.map(({ key }) => key)).toEqual(keys)
    expect(lines?.rows.slice(0, 2).map(({ values }) => values)).toMatchObject([{ ID: 1, Version: 2, Qty: '25', Uom: 'BOX' }, { ItemID: 2, Qty: '1' }])
    expect(form.state.isDirty).toBe(true)
    void form.save()
    await Promise.resolve()
    expect(saved[1]).toMatchObject({ Lines: [{ ID: 1, Version: 2, Qty: '25' }, { ItemID: 2, Qty: '1' }] })
  })

  it('of a new record is typed into the record it has become', async () => {
    const { form, done, answer } = await sent(screen, undefined, undefined)
    form.store.set({ Phone: '2' })
    await answer(stored({ ID: 9, Note: 'b', Lines: [] }))
    expect([form.isNew, form.store.changedFields, done]).toEqual([false, ['Phone'], ['9 saved left']])
    form.keepNow()
    expect([localStorage.getItem('draft:new'), JSON.parse(localStorage.getItem('draft:9') ?? '[]')]).toMatchObject([null, [{ version: 1, values: { Phone: '2' } }]])
  })

  it('of a document that was moved on waits as a draft', async () => {
    const { form, answer } = await sent(screen, 'submit')
    form.store.set({ Phone: '2' })
    await answer(stored({ Version: 2, Note: 'b', Status: 4 }))
    expect([form.store.values['Phone'], form.state.isDirty, form.state.draft?.values]).toMatchObject(['1', false, { Phone: '2' }])
  })

  it('is kept by parts written by hand', async () => {
    let held = 'x'
    let base = 'x'
    const part: SlotPart = {
      payload: () => ({ Held: held }),
      problems: () => [],
      isDirty: () => held !== base,
      draft: () => held,
      restore: (draft) => void (held = String(draft)),
      load: (record) => void (base = held = String(record?.['Held'] ?? 'x')),
      focus: () => undefined,
    }
    const { form, answer } = await sent()
    form.register('part', part)
    held = 'y'
    form.touched()
    await answer(stored({ Version: 2, Note: 'b', Held: 'x' }))
    expect([held, base, form.state.isDirty]).toEqual(['y', 'x', true])
  })

  it('and nothing typed leaves the form saved', async () => {
    const { form, done, answer } = await sent()
    await answer(stored({ Version: 2, Note: 'b' }))
    expect([form.state.isDirty, done]).toEqual([false, ['7 saved']])
  })
})

describe('what the server said of a line', () => {
  const server = { says: true, saved: [] as unknown[] }
  const wrong = { field: 'Lines[0].Uom', code: 'UOM', key: 'field.UOM', text: 'A has no PCS.' }
  async function opened(): Promise<FormSession> {
    vi.useFakeTimers()
    server.says = true
    server.saved = []
    const form = session({
      compute: async () => accept({ record: { ID: 0, Total: '0', Lines: [] }, errors: server.says ? [wrong] : [] }),
      create: async (_resource, body) => {
        server.saved.push(body)
        return refuse(refusal('VALIDATION_FAILED', { errors: [{ field: 'Lines[1].Qty', code: 'MQ01', key: 'field.MQ01', text: 'Below the minimum.' }] }))
      },
    })
    await form.open()
    form.store.set({ CustomerID: 17 })
    form.lines?.edit([{ ItemID: 1, Qty: '1', Uom: 'PCS' }, { ItemID: 2, Qty: '2', Uom: 'CTN' }].map((values, i) => ({ key: `l${i}`, values, problems: {}, fixed: false })))
    await vi.advanceTimersByTimeAsync(400)
    return form
  }
  const problems = (form: FormSession) => form.lines?.rows.slice(0, 2).map((row) => Object.values(row.problems).map((message) => ('text' in message ? message.text : message.key)))
  const set = (form: FormSession, at: number, values: object) => form.lines?.edit(setValues(form.lines.rows, at, { ...values }))

  it('stays when the line is left or something else is missing, and goes with the value it was said of', async () => {
    const form = await opened()
    form.checkLine('Lines', 'l0')
    expect(problems(form)).toEqual([['A has no PCS.'], []])
    set(form, 0, { Qty: null })
    form.checkLine('Lines', 'l0')
    expect(problems(form)).toEqual([['A has no PCS.', 'ui.check.required'], []])
    await form.save()
    expect([problems(form)?.[0], form.state.problems.map(({ message }) => message), server.saved]).toEqual([['A has no PCS.', 'ui.check.required'], [{ key: 'ui.check.required' }], []])
    set(form, 0, { Uom: 'CTN' })
    expect(problems(form)?.[0]).toEqual(['ui.check.required'])
    form.close()
    vi.useRealTimers()
  })

  it('stops nobody from saving; what it said when asked to save stays while other lines are priced again, until the answer to the next saving', async () => {
    const form = await opened()
    await form.save()
    expect([server.saved.length, problems(form), form.state.problems.length]).toEqual([1, [[], ['Below the minimum.']], 1])
    server.says = false
    set(form, 0, { Qty: '5' })
    await vi.advanceTimersByTimeAsync(400)
    expect([problems(form), form.state.problems.length]).toEqual([[[], ['Below the minimum.']], 1])
    set(form, 1, { Qty: '20' })
    expect([problems(form), form.state.problems]).toEqual([[[], []], []])
    form.close()
    vi.useRealTimers()
  })
})

it('a line whose code could not be looked up stands in the way of saving, in a column that may stay empty too, and in the draft', async () => {
  const columns = orderColumns.map((column) => ({ ...column, required: false }))
  const { lines } = screen
  if (lines === undefined) throw new Error('An order has lines.')
  const form = session({ compute: async () => refuse(refusal('NETWORK')) }, undefined, [], { ...screen, lines: { ...lines, columns } })
  await form.open()
  form.store.set({ CustomerID: 17 })
  const message = { key: 'ui.lookup.failed', params: { text: 'X' } }
  form.lines?.edit(form.lines.rows.map((row) => ({ ...row, typed: { ItemID: 'X' }, problems: { ItemID: message } })))
  form.checkLine('Lines', form.lines?.rows[0]?.key ?? '')
  await form.save()
  expect(form.state.problems).toMatchObject([{ message, line: 1, to: { wire: 'ItemID' } }])
  form.keepNow()
  const again = session({ compute: async () => refuse(refusal('NETWORK')) }, undefined, [], { ...screen, lines: { ...lines, columns } })
  await again.open()
  again.restoreDraft()
  expect([again.lines?.rows[0]?.typed, again.state.isDirty]).toEqual([{ ItemID: 'X' }, true])
})

it('what a reference would fill in is not asked for while its code cannot be read', async () => {
  const form = session({ compute: async () => refuse(refusal('NETWORK')) })
  await form.open()
  form.store.set({ CustomerID: 17 })
  form.lines?.edit(form.lines.rows.map((row) => ({ ...row, typed: { ItemID: 'X' }, problems: { ItemID: { key: 'ui.lookup.failed', params: { text: 'X' } } } })))
  await form.save()
  expect(form.state.problems.map(({ to }) => 'wire' in to && to.wire)).toEqual(['ItemID', 'Qty'])
  form.discard()
  form.close()
})

it('saved right after a code was typed, waits until it is known what that names', async () => {
  const sent: unknown[] = []
  const answer = (body: unknown) => (sent.push((body as { Lines: readonly object[] }).Lines), accept({ record: stored() }))
  const form = session({ create: async (_, body) => answer(body), compute: async () => refuse(refusal('NETWORK')) })
  await form.open()
  form.store.set({ CustomerID: 17 })
  const { lines } = form
  lines?.edit(lines.rows.map((row) => ({ ...row, values: { Qty: '1', Uom: 'CTN' }, typed: { ItemID: 'A' } })))
  const looked = new Promise<void>((done) => setTimeout(() => {
    lines?.amend(lines.rows.map((row, i) => (i === 0 ? { ...row, values: { ...row.values, ItemID: 1 }, typed: undefined } : row)))
    done()
  }))
  lines?.await(looked)
  // Asked for twice, it is sent once.
  await Promise.all([form.save(), form.save()])
  expect(sent).toMatchObject([[{ ItemID: 1, Qty: '1' }]])
})

describe('Complaint 9: "document has been modified" and my edits are gone', () => {
  it('keeps what was typed, takes theirs, and asks where both changed', async () => {
    let current = stored()
    const saved: unknown[] = []
    const form = session(
      {
        read: async () => accept({ record: current }),
        save: async (_resource, _id, version, body) => {
          saved.push([version, body])
          return version === current.Version ? accept({ record: { ...current, Version: 3 } }) : refuse(refusal('VERSION_CONFLICT'))
        },
      },
      7,
    )
    await form.open()
    form.store.set({ Note: 'mine', Phone: '2' })
    current = stored({ Version: 2, Note: 'theirs', CustomerID: 18, CustomerCode: 'C2', CustomerName: 'Warung' })
    await form.save()
    expect(asked(form)).toMatchObject({ taken: ['CustomerID'], conflicts: [{ key: 'Note', base: 'a', mine: 'mine', theirs: 'theirs' }], parts: {} })
    settleWith(form, 'Note')
    expect(form.store.values).toMatchObject({ CustomerID: 18, CustomerName: 'Warung', Note: 'theirs', Phone: '2' })
    await form.save()
    expect(saved.map((call) => (Array.isArray(call) ? call[0] : undefined))).toEqual([1, 2])
    expect(saved[1]).toMatchObject([2, { CustomerID: 18, Note: 'theirs', Phone: '2' }])
    form.close()
  })

  it('puts lines of two people together, and asks only about a line both changed or one removed', async () => {
    const line = (ID: number, Version: number, Qty = '24.000') => ({ ID, Version, ItemID: ID, ItemCode: `I${ID}`, Qty, Uom: 'CTN' })
    const added = { ID: 9, Version: 2, ItemID: 9, ItemCode: 'I9', Qty: '1.000', Uom: 'CTN' }
    const edited = async (theirs: readonly object[]) => {
      let current = stored({ Lines: [line(1, 1), line(2, 1), line(3, 1)] })
      const written: unknown[] = []
      const form = session(
        {
          read: async () => accept({ record: current }),
          save: async (_resource, _id, version, body) => {
            if (version !== current.Version) return refuse(refusal('VERSION_CONFLICT'))
            written.push(body)
            return accept({ record: { ...current, Version: 3 } })
          },
          compute: async () => refuse(refusal('ABORTED')),
        },
        7,
      )
      await form.open()
      // Here the first line is changed and the third removed.
      form.lines?.edit(form.lines.rows.flatMap((row) => (row.values['ID'] === 3 ? [] : [row.values['ID'] === 1 ? { ...row, values: { ...row.values, Qty: '5' } } : row])))
      current = stored({ Version: 2, Lines: theirs })
      await form.save()
      return { form, written }
    }
    const { form, written } = await edited([line(1, 1), line(2, 2, '36.000'), line(3, 1), added])
    expect(asked(form)).toMatchObject({ parts: { Lines: 'theirs' }, lines: {} })
    settleWith(form)
    await form.save()
    expect(written).toMatchObject([{ Lines: [{ ID: 1, Version: 1, Qty: '5' }, { ID: 2, Version: 2, Qty: '36.000' }, { ID: 9, Version: 2, Qty: '1.000' }] }])
    form.close()
    for (const theirs of [[line(1, 2, '7'), line(2, 1), line(3, 1)], [line(2, 1), line(3, 1)], [line(1, 1), line(2, 1), line(3, 2, '8')]]) {
      const { form } = await edited(theirs)
      expect(asked(form)?.parts).toEqual({ Lines: 'both' })
      form.close()
    }
  })

  it('saves again what one has saved oneself, also with an action between, without meeting oneself', async () => {
    let current = stored()
    const take = (version: number | undefined, body: object) => {
      if (version !== current.Version) return refuse(refusal('VERSION_CONFLICT'))
      current = { ...current, ...body, Version: (current.Version ?? 0) + 1 }
      return accept({ record: current })
    }
    const form = session({ read: async () => accept({ record: current }), save: async (_resource, _id, version, body) => take(version, body as object) }, 7)
    await form.open()
    for (const note of ['one', 'two', 'three']) {
      form.store.set({ Note: note })
      await form.save(note === 'two' ? 'submit' : undefined)
      expect([form.state.clash, form.state.refusal, current['Note'], form.state.isDirty]).toEqual([undefined, undefined, note, false])
    }
    form.close()
  })
})

describe('hand-written parts of a form somebody else saved meanwhile', () => {
  /** One list of keys; `merges` or has to be chosen. */
  const part = (merges: boolean) => {
    const did: string[] = []
    let held: unknown = 'mine'
    const one: SlotPart = {
      payload: () => ({ Keys: held }),
      problems: () => [],
      isDirty: () => held === 'mine',
      draft: () => undefined,
      restore: () => undefined,
      load: (record) => {
        if (record?.Version === 2) did.push('theirs')
        held = record?.['Keys'] ?? 'mine'
      },
      changedIn: (current) => current['Keys'] === 'theirs',
      ...(merges ? { merge: () => (did.push('both'), undefined) } : {}),
      focus: () => undefined,
    }
    return { one, did }
  }
  const clashing = async (one: SlotPart, keys: string) => {
    let current = stored()
    const form = session({ read: async () => accept({ record: current }), save: async () => refuse(refusal('VERSION_CONFLICT')), compute: async () => refuse(refusal('NETWORK')) }, 7)
    await form.open()
    form.register('keys', one)
    form.store.set({ Note: 'mine' })
    current = stored({ Version: 2, Keys: keys })
    await form.save()
    return form
  }

  it('take over what they changed beside what was entered, and say so', async () => {
    const { one, did } = part(true)
    const form = await clashing(one, 'theirs')
    expect(asked(form)?.parts).toEqual({ keys: 'theirs' })
    settleWith(form)
    expect(did).toEqual(['both'])
    form.close()
  })

  it('stay as entered, or become theirs, as was chosen', async () => {
    for (const [theirs, expected] of [[[], []], [['keys'], ['theirs']]] as const) {
      const { one, did } = part(false)
      const form = await clashing(one, 'theirs')
      expect(asked(form)?.parts).toEqual({ keys: 'both' })
      settleWith(form, ...theirs)
      expect(did).toEqual(expected)
      form.close()
    }
  })

  it('are not asked about when they changed nothing there', async () => {
    const { one, did } = part(false)
    const form = await clashing(one, 'mine')
    expect(asked(form)?.parts).toEqual({})
    settleWith(form)
    expect(did).toEqual([])
    form.close()
  })
})

describe('a document that somebody else has moved on', () => {
  it.each(['VERSION_CONFLICT', 'ILLEGAL_TRANSITION'] as const)('is shown as it stands after %s: what can no longer be saved is not merged into it', async (code) => {
    let current = stored()
    const form = session({ read: async () => accept({ record: current }), save: async () => refuse(refusal(code)), compute: async () => refuse(refusal('NETWORK')) }, 7)
    await form.open()
    form.store.set({ Note: 'mine' })
    current = stored({ Version: 2, Status: 4, Code: 'SO/1', Note: 'theirs', UpdatedByName: 'Sari' })
    await form.save()
    expect(form.state).toMatchObject({ clash: undefined, isDirty: false, busy: false, record: { Status: 4, Code: 'SO/1' }, refusal: { code } })
    expect(form.store.values['Note']).toBe('theirs')
    // Nothing typed is lost: once it can be changed again, it is offered again.
    form.keepNow()
    form.close()
    current = stored({ Version: 3, Note: 'theirs' })
    const again = session({ read: async () => accept({ record: current }), compute: async () => refuse(refusal('NETWORK')) }, 7)
    await again.open()
    again.restoreDraft()
    // They changed the same field: whoever takes up what was typed is asked.
    expect(asked(again)?.conflicts).toMatchObject([{ key: 'Note', mine: 'mine', theirs: 'theirs' }])
    settleWith(again)
    expect(again.store.values['Note']).toBe('mine')
    again.discard()
    again.close()
  })
})

describe('Complaint 10: work lost on navigation or session end', () => {
  it('is not kept of a form in which only the form itself filled something in', async () => {
    const form = session({})
    await form.open()
    form.store.prefill({ CustomerID: 17, CustomerName: 'Toko' })
    expect([form.store.isDirty, form.state.isDirty]).toEqual([false, false])
    form.store.set({ Note: 'typed' })
    form.store.prefill({ Phone: '1' })
    expect(form.store.isDirty).toBe(true)
    form.close()
  })

  it('is at stake from the first key on, and no longer once the input gave back what it held', async () => {
    const form = session({ read: async () => accept({ record: stored() }) }, 7)
    await form.open()
    form.typing()
    expect(form.state.isDirty).toBe(true)
    form.typed()
    expect(form.state.isDirty).toBe(false)
    form.typing()
    form.store.set({ Note: 'typed' })
    form.typed()
    expect(form.state.isDirty).toBe(true)
    form.discard()
    form.close()
  })

  it('is offered again after the form was lost, with header and lines', async () => {
    const first = session({ compute: async () => refuse(refusal('INTERNAL')) })
    await first.open()
    first.store.set({ CustomerID: 17, CustomerCode: 'C1', CustomerName: 'Toko' })
    enterLine(first)
    first.close()

    const second = session({})
    await second.open()
    expect(second.state.draft?.at).toBe('2025-06-10T08:00:00Z')
    second.restoreDraft()
    expect(second.store.values).toMatchObject({ CustomerID: 17, CustomerName: 'Toko' })
    expect(second.lines?.rows.map((row) => row.values)).toEqual([{ ItemID: 1, ItemCode: 'A', Qty: '5', Uom: 'CTN' }, {}])
    expect(second.state.isDirty).toBe(true)
    second.discard()
    second.close()
  })

  it('with text that is no value comes back as it was typed, and stops saving until it can be read', async () => {
    const first = session({ read: async () => accept({ record: stored() }) }, 7)
    await first.open()
    first.store.setUnread('Phone', { key: 'ui.entry.number' }, '12/45')
    first.close()
    expect(JSON.parse(localStorage.getItem('draft:7') ?? '[]')).toMatchObject([{ typed: { Phone: '12/45' } }])

    const form = session({ read: async () => accept({ record: stored() }), compute: async () => refuse(refusal('NETWORK')) }, 7)
    await form.open()
    form.restoreDraft()
    expect([form.store.typed, form.store.values['Phone'], form.store.problems['Phone'], form.state.isDirty]).toEqual([{ Phone: '12/45' }, '1', { key: 'ui.grid.unread', params: { text: '12/45' } }, true])
    await form.save()
    expect(form.state.problems).toMatchObject([{ to: { kind: 'field', wire: 'Phone' } }])
    form.store.setUnread('Phone', undefined)
    expect([form.store.typed, form.store.isDirty]).toEqual([{}, false])
    form.close()
    expect(localStorage.getItem('draft:7')).toBeNull()
  })

  it('is not written over by what is typed beside it: each is offered until it is taken up or thrown away', async () => {
    const typed = async (note: string) => {
      const form = session({})
      await form.open()
      form.store.set({ Note: note })
      form.close()
    }
    await typed('first')
    await typed('second')
    const form = session({ compute: async () => refuse(refusal('NETWORK')) })
    await form.open()
    expect(form.state.draft?.values['Note']).toBe('second')
    form.store.set({ Note: 'third' })
    form.restoreDraft()
    expect([form.store.values['Note'], form.state.draft?.values['Note']]).toEqual(['second', 'third'])
    form.restoreDraft()
    expect([form.store.values['Note'], form.state.draft?.values['Note']]).toEqual(['third', 'second'])
    form.dropDraft()
    expect([form.store.values['Note'], form.state.draft?.values['Note']]).toEqual(['third', 'first'])
    form.discard()
    expect([form.store.values['Note'], form.state.draft?.values['Note'], form.state.isDirty]).toEqual([undefined, 'first', false])
    form.dropDraft()
    expect([form.state.draft, localStorage.getItem('draft:new')]).toEqual([undefined, null])
    form.close()
  })

  it('of an earlier version of the program is one of them', async () => {
    localStorage.setItem('draft:new', JSON.stringify({ at: '2025-06-10T07:00:00Z', values: { Note: 'old' }, lines: {} }))
    const form = session({})
    await form.open()
    form.store.set({ Note: 'new' })
    form.keepNow()
    form.dropDraft()
    expect([form.state.draft, JSON.parse(localStorage.getItem('draft:new') ?? '[]')]).toMatchObject([undefined, [{ values: { Note: 'new' } }]])
    form.discard()
    form.close()
  })

  it('that was sent without an answer is sent again under its key, changed or not: no second record unless it is wanted', async () => {
    const keys: (string | undefined)[] = []
    let refused: Refusal['code'] = 'NETWORK'
    const calls: Partial<FormCalls> = {
      create: async (_resource, _body, { key }) => {
        keys.push(key)
        return refuse(refusal(refused))
      },
      compute: async () => refuse(refusal('NETWORK')),
    }
    const form = session(calls)
    await form.open()
    form.store.set({ CustomerID: 17, CustomerCode: 'C1', CustomerName: 'Toko' })
    enterLine(form)
    await form.save()
    form.keepNow()
    form.close()
    const again = session(calls)
    await again.open()
    again.restoreDraft()
    await again.save()
    again.keepNow()
    again.store.set({ Note: 'more' })
    refused = 'DUPLICATE_REQUEST'
    await again.save()
    // Told that it is there already, with something else in it, whoever saves it wants two.
    expect([again.state.refusal?.code, again.state.isDirty]).toEqual(['DUPLICATE_REQUEST', true])
    await again.save()
    again.close()
    expect([keys.length, new Set(keys.slice(0, 3)).size, keys[3] === keys[0]]).toEqual([4, 1, false])
  })

  it('taken up in two windows makes one record', async () => {
    const keys: (string | undefined)[] = []
    const calls: Partial<FormCalls> = { create: async (_resource, _body, { key }) => (keys.push(key), accept({ record: stored() })), compute: async () => refuse(refusal('NETWORK')) }
    const typed = session(calls)
    await typed.open()
    typed.store.set({ CustomerID: 17, CustomerCode: 'C1', CustomerName: 'Toko' })
    enterLine(typed)
    typed.close()
    const windows = [session(calls), session(calls)]
    for (const one of windows) await one.open()
    for (const one of windows) one.restoreDraft()
    for (const one of windows) await one.save()
    expect([keys.length, new Set(keys).size]).toEqual([2, 1])
    for (const one of windows) one.close()
  })

  describe('of a record that others have changed meanwhile', () => {
    const compute: FormCalls['compute'] = async () => refuse(refusal('NETWORK'))
    const type = async (change: (form: FormSession) => void) => {
      const form = session({ read: async () => accept({ record: stored() }), compute }, 7)
      await form.open()
      change(form)
      form.close()
    }
    const opened = async (more: object) => {
      const form = session({ read: async () => accept({ record: stored({ Version: 3, ...more }) }), compute }, 7)
      await form.open()
      return form
    }
    const linesWith = (Qty: string) => ({ Lines: [{ ID: 1, ItemID: 1, ItemCode: 'A', Qty, Uom: 'CTN' }] })
    const quantities = ({ lines }: FormSession) => lines?.rows.map(({ values }) => values['Qty'])

    it('changes what was typed, and leaves to them what was not', async () => {
      await type(({ store }) => store.set({ Note: 'mine' }))
      const form = await opened({ Phone: '2', ...linesWith('36.000') })
      form.restoreDraft()
      expect(asked(form)).toSatisfy(isSettled)
      settleWith(form)
      expect([form.state.clash, form.store.values, quantities(form)]).toMatchObject([undefined, { Note: 'mine', Phone: '2' }, ['36.000', undefined]])
      form.close()
    })

    it('asks before it says something else in a field they changed too; until then it waits', async () => {
      await type(({ store }) => store.set({ Note: 'mine', Phone: '3' }))
      const form = await opened({ Note: 'theirs' })
      form.restoreDraft()
      expect([asked(form), form.store.values['Note'], form.state.draft?.values['Note']]).toMatchObject([{ conflicts: [{ key: 'Note', base: 'a', mine: 'mine', theirs: 'theirs' }], parts: {} }, 'theirs', 'mine'])
      form.dismissClash()
      expect([form.state.clash, form.state.isDirty, form.state.draft?.values['Note']]).toEqual([undefined, false, 'mine'])
      form.restoreDraft()
      settleWith(form, 'Note')
      expect([form.state.clash, form.state.draft, form.store.values]).toMatchObject([undefined, undefined, { Note: 'theirs', Phone: '3' }])
      form.close()
    })

    it('asks about text that is no value where they changed the field', async () => {
      const typed = () => type(({ store }) => store.setUnread('Phone', { key: 'ui.entry.number' }, '12/45'))
      await typed()
      const same = await opened({ Note: 'theirs' })
      same.restoreDraft()
      expect(asked(same)).toSatisfy(isSettled)
      same.close()
      for (const [theirs, expected] of [[[], { Phone: '12/45' }], [['Phone'], {}]] as const) {
        localStorage.removeItem('draft:7')
        await typed()
        const form = await opened({ Phone: '2' })
        form.restoreDraft()
        expect(asked(form)).toMatchObject({ conflicts: [{ key: 'Phone', base: '1', mine: '12/45', theirs: '2' }], typed: { Phone: '12/45' } })
        settleWith(form, ...theirs)
        expect([form.store.typed, form.store.values['Phone']]).toEqual([expected, '2'])
        form.close()
      }
    })

    it('asks which lines stand where both changed them', async () => {
      await type(({ lines }) => lines?.edit(lines.rows.map((row) => (row.values['ID'] === 1 ? { ...row, values: { ...row.values, Qty: '5' } } : row))))
      for (const [theirs, expected] of [[[], '5'], [['Lines'], '36.000']] as const) {
        const form = await opened(linesWith('36.000'))
        form.restoreDraft()
        expect(asked(form)?.parts).toEqual({ Lines: 'both' })
        const { mine, theirs: others } = asked(form)?.lines['Lines'] ?? {}
        expect([mine, others].map((lines) => lines?.map((line) => line['Qty']))).toEqual([[theirs.length === 0 ? '5' : '6'], ['36.000']])
        settleWith(form, ...theirs)
        expect(quantities(form)).toEqual([expected, undefined])
        form.keepNow()
        form.close()
        if (theirs.length === 0) await type(({ lines }) => lines?.edit(lines.rows.map((row) => (row.values['ID'] === 1 ? { ...row, values: { ...row.values, Qty: '6' } } : row))))
      }
    })

    it('keeps mine as lines that can be saved: at their versions now, and new where they removed it', async () => {
      const line = (ID: number, Version: number) => ({ ID, Version, ItemID: ID, ItemCode: 'A', Qty: '24.000', Uom: 'CTN' })
      const now = { Lines: [{ ...line(1, 5), Qty: '36.000' }] }
      const begun = async (form: FormSession) => {
        await form.open()
        form.lines?.edit(form.lines.rows.map((row) => (row.values['ID'] === undefined ? row : { ...row, values: { ...row.values, Qty: '5' } })))
      }
      const written: unknown[] = []
      let current = stored({ Lines: [line(1, 4), line(2, 4)] })
      const calls: Partial<FormCalls> = {
        read: async () => accept({ record: current }),
        save: async (_resource, _id, version, body) => {
          written.push(body)
          return version === current.Version ? accept({ record: { ...current, Version: 9 } }) : refuse(refusal('VERSION_CONFLICT'))
        },
        compute,
      }
      const lines = [{ ID: 1, Version: 5, Qty: '5' }, { Qty: '5' }]
      const form = session(calls, 7)
      await begun(form)
      form.keepNow()
      current = stored({ Version: 3, ...now })
      await form.save()
      settleWith(form)
      await form.save()
      expect(written[1]).toMatchObject({ Lines: lines })
      expect(written[1]).not.toHaveProperty('Lines.1.ID')
      form.close()

      current = stored({ Lines: [line(1, 4), line(2, 4)] })
      const left = session(calls, 7)
      await begun(left)
      left.close()
      current = stored({ Version: 3, ...now })
      const again = session(calls, 7)
      await again.open()
      again.restoreDraft()
      settleWith(again)
      await again.save()
      expect(written[2]).toMatchObject({ Lines: lines })
      expect(written[2]).not.toHaveProperty('Lines.1.ID')
      again.close()
    })

    it('does not ask when only something else of it was changed', async () => {
      await type(({ lines }) => lines?.edit(lines.rows.map((row) => (row.values['ID'] === 1 ? { ...row, values: { ...row.values, Qty: '5' } } : row))))
      const form = await opened({ Note: 'theirs' })
      form.restoreDraft()
      expect(asked(form)).toSatisfy(isSettled)
      settleWith(form)
      expect([form.state.clash, form.store.values['Note'], quantities(form)]).toEqual([undefined, 'theirs', ['5', undefined]])
      form.close()
    })

    it('asks in any case if it does not say what it started from, as those of earlier versions of the program', async () => {
      localStorage.setItem('draft:7', JSON.stringify({ at: '2025-06-10T07:00:00Z', version: 1, values: { Note: 'kept' }, ...{ lines: linesWith('5') } }))
      const form = await opened({ Note: 'theirs' })
      form.restoreDraft()
      expect(asked(form)).toMatchObject({ conflicts: [{ key: 'Note', mine: 'kept', theirs: 'theirs' }], parts: { Lines: 'both' } })
      form.close()
    })
  })

  it('is not offered when it was saved after its form had been left', async () => {
    let answerNow = (): void => undefined
    const form = session({
      create: () => new Promise((resolve) => {
        answerNow = () => resolve(accept({ record: stored() }))
      }),
      compute: async () => refuse(refusal('NETWORK')),
    })
    await form.open()
    form.store.set({ CustomerID: 17, CustomerCode: 'C1', CustomerName: 'Toko' })
    enterLine(form)
    const saved = form.save()
    form.close()
    answerNow()
    await saved
    expect(localStorage.getItem('draft:new')).toBeNull()
  })
})

describe('a duplicate', () => {
  it('starts with what the form names, lines without what the server made, and leaves the old record alone', async () => {
    const lines = [{ ID: 1, ItemID: 1, ItemCode: 'A', ItemName: 'Ayu', Qty: '24.000', Uom: 'CTN', Total: '99' }, { ID: 2, ItemID: 2, ItemCode: 'B', Qty: '1.000', Uom: 'PCS', IsFree: true }]
    const copying: FormScreen = { ...screen, copy: { fields: ['customer_id', 'note'], lines: { Lines: ['item_id', 'qty'] }, path: '/order/new' } }
    const form = session({ read: () => Promise.resolve(accept({ record: stored({ Lines: lines }) })), compute: () => Promise.resolve(refuse(refusal('NETWORK'))) }, undefined, [], copying, 7)
    await form.open()
    expect(form.store.values).toEqual({ DocDate: '2025-06-10', CustomerID: 17, CustomerCode: 'C1', CustomerName: 'Toko', Note: 'a' })
    expect(form.lines?.rows.map((row) => row.values)).toEqual([{ ItemID: 1, ItemCode: 'A', ItemName: 'Ayu', Qty: '24.000' }, {}])
    expect([form.isNew, form.state.isDirty]).toEqual([true, true])
    form.close()
  })

  it('is typed into only once it has come: nothing typed is written over by it', async () => {
    let come: (record: WireRecord) => void = () => {}
    const original = new Promise<WireRecord>((resolve) => (come = resolve))
    const form = session({ read: async () => accept({ record: await original }) }, undefined, [], { ...screen, copy: { fields: ['note'], lines: {}, path: '/order/new' } }, 7)
    const opened = form.open()
    await new Promise((resolve) => setTimeout(resolve))
    expect(form.state.phase).toBe('loading')
    come(stored())
    await opened
    expect(form.state.phase).toBe('ready')
    expect(form.store.values['Note']).toBe('a')
    expect(form.state.isDirty).toBe(true)
  })
})

describe('a duplicate of lines that came of one', () => {
  it('enters that one again', async () => {
    const of = { ComboNo: 1, ComboItemID: 9, ComboItemCode: 'PK', ComboItemName: 'Paket', ComboQty: '3.000' }
    const lines = [{ ID: 1, ItemID: 1, ItemCode: 'A', ItemName: 'Ayu', Qty: '6.000', ...of }, { ID: 2, ItemID: 2, ItemCode: 'B', ItemName: 'Bud', Qty: '3.000', ...of }, { ID: 3, ItemID: 2, ItemCode: 'B', ItemName: 'Bud', Qty: '1.000', ComboNo: null }]
    const origin = { by: 'ComboNo', from: { ItemID: 'ComboItemID', ItemCode: 'ComboItemCode', ItemName: 'ComboItemName', Qty: 'ComboQty' }, mark: { code: 'ComboItemCode', name: 'ComboItemName', label: 'field.combo_item_id' } }
    const copying: FormScreen = { ...screen, ...(screen.lines === undefined ? {} : { lines: { ...screen.lines, origin } }), copy: { fields: ['customer_id'], lines: { Lines: ['item_id', 'qty'] }, path: '/order/new' } }
    const form = session({ read: () => Promise.resolve(accept({ record: stored({ Lines: lines }) })), compute: () => Promise.resolve(refuse(refusal('NETWORK'))) }, undefined, [], copying, 7)
    await form.open()
    expect(form.lines?.rows.map((row) => row.values)).toEqual([{ ItemID: 9, ItemCode: 'PK', ItemName: 'Paket', Qty: '3.000' }, { ItemID: 2, ItemCode: 'B', ItemName: 'Bud', Qty: '1.000' }, {}])
    form.close()
  })
})

describe('several grids', () => {
  const columns = orderColumns.filter(({ name }) => name === 'uom' || name === 'qty')
  const two: FormScreen = {
    ...screen,
    sections: [...screen.sections, { id: 'contacts', title: 'section.contacts', fields: [], lines: { name: 'contacts', wire: 'Contacts', entity: 'contact', columns, paste: true, max: 50 } }],
  }

  it('travel together, an owned record with the version it was read at, and problems stand in the grid they belong to', async () => {
    const sent: unknown[] = []
    const record = stored({ Contacts: [{ ID: 4, Version: 3, Qty: '1', Uom: 'PCS' }] })
    const save = (_resource: string, _id: number, _version: number, body: unknown) => {
      sent.push(body)
      return Promise.resolve(refuse(refusal('VALIDATION_FAILED', { errors: [{ field: 'Contacts[0].Uom', code: 'PATTERN', key: 'field.PATTERN', text: 'Wrong.' }] })))
    }
    const form = session({ read: () => Promise.resolve(accept({ record })), save, compute: () => Promise.resolve(refuse(refusal('NETWORK'))) }, 7, [], two)
    await form.open()
    const contacts = form.grids.get('Contacts')
    contacts?.edit(contacts.rows.map((row, i) => (i === 0 ? { ...row, values: { ...row.values, Uom: 'BOX' } } : row)))
    await form.save()
    expect(sent).toMatchObject([{ Lines: [{ ID: 1, LineNo: 1 }], Contacts: [{ ID: 4, Version: 3, LineNo: 1, Qty: '1', Uom: 'BOX' }] }])
    expect(form.state.problems).toMatchObject([{ line: 1, to: { kind: 'line', grid: 'Contacts', wire: 'Uom' } }])
    expect([contacts?.rows[0]?.problems, form.lines?.rows[0]?.problems]).toEqual([{ Uom: { text: 'Wrong.' } }, {}])
    form.close()
  })
})

describe('what would be lost', () => {
  it('is at stake from the first letter on, before its input has handed it in, and no longer once it is taken back', async () => {
    const form = session({ read: () => Promise.resolve(accept({ record: stored() })) }, 7)
    await form.open()
    expect(form.isAtStake).toBe(false)
    form.begins()
    expect(form.isAtStake).toBe(true)
    form.typing()
    expect(form.isAtStake).toBe(true)
    form.typed()
    expect(form.isAtStake).toBe(false)
    form.close()
  })
})

describe('computing', () => {
  it('asks once typing pauses and ignores answers to older questions', async () => {
    vi.useFakeTimers()
    const asked: { body: Readonly<Record<string, unknown>>; answer: (total: string) => void }[] = []
    const form = session({
      compute: (_command, body) => new Promise((resolve) => asked.push({ body, answer: (total) => resolve(accept({ record: { ID: 0, Total: total, Lines: [{ ID: 0, LineNo: 1, Price: '10', Total: total }] } })) })),
    })
    await form.open()
    form.store.set({ CustomerID: 17 })
    form.lines?.edit(form.lines.rows.map((row) => ({ ...row, values: { ItemID: 1, Qty: '1', Uom: 'CTN' } })))
    await vi.advanceTimersByTimeAsync(400)
    form.lines?.edit(form.lines.rows.map((row, i) => (i === 0 ? { ...row, values: { ...row.values, Qty: '2' } } : row)))
    await vi.advanceTimersByTimeAsync(400)
    expect(asked.map(({ body }) => body['Lines'])).toEqual([[{ LineNo: 1, ItemID: 1, Qty: '1', Uom: 'CTN' }], [{ LineNo: 1, ItemID: 1, Qty: '2', Uom: 'CTN' }]])
    asked[1]?.answer('20')
    asked[0]?.answer('10')
    await vi.advanceTimersByTimeAsync(10)
    expect(form.lines?.rows[0]?.values).toMatchObject({ Qty: '2', Total: '20' })
    expect(form.state.totals['Total']).toBe('20')
    form.close()
    vi.useRealTimers()
  })

  it('refused, says that the totals are those of before, until they are computed again or nothing is left to compute', async () => {
    vi.useFakeTimers()
    const server = { isBusy: false }
    const form = session({ compute: async () => (server.isBusy ? refuse(refusal('SERVICE_UNAVAILABLE')) : accept({ record: { ID: 0, Total: '10', Lines: [{ ID: 0, LineNo: 1, Total: '10' }] } })) })
    const after = async (change: Record<string, unknown>) => {
      form.lines?.edit(form.lines.rows.map((row, i) => (i === 0 ? { ...row, values: change } : row)))
      await vi.advanceTimersByTimeAsync(400)
      return [form.state.computing, form.state.totals['Total']]
    }
    await form.open()
    form.store.set({ CustomerID: 17 })
    expect(await after({ ItemID: 1, Qty: '1', Uom: 'CTN' })).toEqual(['done', '10'])
    server.isBusy = true
    expect(await after({ ItemID: 1, Qty: '2', Uom: 'CTN' })).toEqual(['refused', '10'])
    expect(await after({})).toEqual(['done', undefined])
    expect(await after({ ItemID: 1, Qty: '3', Uom: 'CTN' })).toEqual(['refused', undefined])
    server.isBusy = false
    expect(await after({ ItemID: 1, Qty: '4', Uom: 'CTN' })).toEqual(['done', '10'])
    form.close()
    vi.useRealTimers()
  })

  it('leaves no price and no total of the customer before when the customer is taken away, or what is typed names none', async () => {
    vi.useFakeTimers()
    const form = session({ compute: async () => accept({ record: { ID: 0, Total: '10', Lines: [{ ID: 0, LineNo: 1, Price: '10', Total: '10' }, { ID: 0, IsFree: true, ItemID: 9, Qty: '1' }] }, Hints: [{ code: 'CL01', text: 'Over the limit' }] }) })
    const after = async (change: () => void) => {
      change()
      await vi.advanceTimersByTimeAsync(400)
      const { totals, hints } = form.state
      return [form.lines?.rows.map(({ values }) => [values['ItemID'], values['Qty'], values['Price'] ?? null]), totals['Total'], hints.length]
    }
    await form.open()
    const none = [[[1, '2', null], [undefined, undefined, null]], undefined, 0]
    const priced = [[[1, '2', '10'], [9, '1', null], [undefined, undefined, null]], '10', 1]
    const customer = (id: number | null) => () => form.store.set({ CustomerID: id })
    expect(await after(() => {
      customer(17)()
      form.lines?.edit(form.lines.rows.map((row) => ({ ...row, values: { ItemID: 1, Qty: '2', Uom: 'CTN' } })))
    })).toEqual(priced)
    expect(await after(customer(null))).toEqual(none)
    expect(await after(customer(18))).toEqual(priced)
    expect(await after(() => form.store.setUnread('CustomerID', { key: 'ui.lookup.unknown', params: { text: 'X' } }, 'X'))).toEqual(none)
    expect(await after(() => form.store.setUnread('CustomerID', undefined))).toEqual(priced)
    form.close()
    vi.useRealTimers()
  })

  describe('proposed lines', () => {
    const proposing: FormScreen = { ...screen, lines: { name: 'lines', wire: 'Lines', entity: 'order_line', columns: orderColumns, paste: true, max: 100, compute: 'price-order', propose: true } }
    const proposal = (code: string) => ({ ID: 0, LineNo: 1, ItemID: 1, ItemCode: code, Qty: '1', Uom: 'CTN' })
    const open = async () => {
      vi.useFakeTimers()
      const asked: { body: Readonly<Record<string, unknown>>; answer: (code: string) => void }[] = []
      const form = session({ compute: (_command, body) => new Promise((resolve) => asked.push({ body, answer: (code) => resolve(accept({ record: { ID: 0, Lines: [proposal(code)] } })) })) }, undefined, [], proposing)
      await form.open()
      form.store.set({ CustomerID: 17 })
      await vi.advanceTimersByTimeAsync(400)
      asked[0]?.answer('A')
      await vi.advanceTimersByTimeAsync(10)
      expect(form.lines?.rows[0]?.values['ItemCode']).toBe('A')
      // Another customer: other lines are proposed.
      form.store.set({ CustomerID: 18 })
      return { form, asked, lines: form.lines }
    }
    const end = (form: FormSession) => {
      form.close()
      vi.useRealTimers()
    }

    it('do not come while a cell is being typed in, but once it is left', async () => {
      const { form, asked, lines } = await open()
      await vi.advanceTimersByTimeAsync(400)
      lines?.startEditing('P')
      const [row] = lines?.rows ?? []
      asked[1]?.answer('B')
      await vi.advanceTimersByTimeAsync(2_000)
      expect(lines?.rows[0]?.key).toBe(row?.key)
      expect(asked).toHaveLength(2)
      lines?.stopEditing()
      await vi.advanceTimersByTimeAsync(400)
      asked[2]?.answer('C')
      await vi.advanceTimersByTimeAsync(10)
      expect(lines?.rows[0]?.values['ItemCode']).toBe('C')
      end(form)
    })

    it('do not take the place of what was entered while they were on their way', async () => {
      const { form, asked, lines } = await open()
      await vi.advanceTimersByTimeAsync(400)
      lines?.edit(lines.rows.map((row, i) => (i === 0 ? { ...row, values: { ...row.values, Qty: '5' } } : row)))
      asked[1]?.answer('B')
      await vi.advanceTimersByTimeAsync(10)
      expect(lines?.rows[0]?.values).toMatchObject({ ItemCode: 'A', Qty: '5' })
      await vi.advanceTimersByTimeAsync(400)
      expect(asked.at(-1)?.body['Lines']).toMatchObject([{ LineNo: 1, ItemID: 1, Qty: '5', Uom: 'CTN' }])
      end(form)
    })
  })
})

it('a duplicate whose original could not be read waits to be begun again, and one of what may not be seen begins empty', async () => {
  const answers: Awaited<ReturnType<FormCalls['read']>>[] = [refuse(refusal('NETWORK')), refuse(refusal('FORBIDDEN_GUARD'))]
  const form = session({ read: async () => answers.shift() ?? refuse(refusal('INTERNAL')) }, undefined, [], { ...screen, copy: { path: '/order/form', fields: ['note'], lines: {} } }, 7)
  await form.open()
  expect([form.state.phase, form.state.refusal?.code]).toEqual(['failed', 'NETWORK'])
  await form.open()
  expect(form.state.phase).toBe('ready')
})
