import { accept, refuse, type Result } from '#base/result.ts'
import { referenceNames, wireName } from '#base/wireName.ts'
import { gridsOf } from '#meta/formGrids.ts'
import { fieldsOf } from '#meta/operands.ts'
import { newKey, type Answer, type Refusal } from '../data/http.ts'
import { isWithheld } from '../data/withheld.ts'
import { loadChunk } from '../app/chunks.ts'
import { LineStore } from '../grid/lineStore.ts'
import { checkRow, enteredRows, isEmpty, takeComputed, withoutComputed, type GridRow } from '../grid/gridModel.ts'
import { dropDraft, keepDraft, onlyDraft, readDrafts, type Draft } from './drafts.ts'
import { fillColumns, fillValues } from './fills.ts'
import { areLinesDirty, asKept, enteredText, inPlaceOf, lineBodies, linesOf, originKeys, saidOf, stripVersion, withServerProblems, type Lines } from './formLines.ts'
import { allFields, brokenRule, checkFields, headerPayload, isEditable, isSectionVisible, keysOf, openFields, schemaData, startValues, visibleFields, type Values } from './formModel.ts'
import { FormStore } from './formStore.ts'
import { placeProblems } from './placing.ts'
import { messagesOf } from './problems.ts'
import { isNothing, same } from './same.ts'
import type { WireRecord } from '#api/envelope.ts'
import type { FormValidation } from '#meta/formValidation.ts'
import type { FormField, FormScreen } from '#meta/resolved.ts'
import type { Surroundings } from './conditions.ts'
import type { FormCalls, FormState, Problem, SlotPart } from './formState.ts'
import type { Sent } from './late.ts'
import type { Message } from './message.ts'
import type { Computed, Suggestions } from './suggestions.ts'

export interface SessionOptions {
  readonly screen: FormScreen
  readonly validation: FormValidation
  readonly calls: FormCalls
  readonly around: Surroundings
  readonly recordId: number | undefined
  /** Record a new one is a duplicate of. */
  readonly copyOf?: number | undefined
  /** What was typed where a new record was wanted: its name. */
  readonly named?: string | undefined
  /** Where drafts of a record are kept; undefined: of a new one. */
  readonly draftKey: (recordId: number | undefined) => string
  readonly now: () => string
  /** The record was saved, and moved by `action` if one was asked for. `isLeft`: what was typed since it was sent stands there still. */
  readonly onDone: (record: WireRecord, action: string | undefined, isLeft: boolean) => void
}

const draftDelay = 800
const computeDelay = 350

/**
 * One open form from reading to saved: header store, line store, slots, draft, validation, conflict, warnings. React shows it; everything
 * here also runs without.
 */
export class FormSession {
  readonly screen: FormScreen
  readonly store: FormStore
  /** Line grids by wire key, in the order of the form. */
  readonly grids: ReadonlyMap<string, LineStore>
  /** The document's own lines, which are computed. */
  readonly lines: LineStore | undefined
  readonly #options: SessionOptions
  readonly #slots = new Map<string, SlotPart>()
  readonly #listeners = new Set<() => void>()
  readonly #fields: ReadonlyMap<string, FormField>
  #state: FormState
  #baseLines: Lines = {}
  /** Header for which the lines on view were proposed. */
  #proposedFor: string | undefined
  #suggestions: Suggestions | undefined
  #isAskedFor = false
  /** Of what is typed here; what an earlier visit left has its own. */
  #draftId = newKey()
  #draftTimer: ReturnType<typeof setTimeout> | undefined
  #computeTimer: ReturnType<typeof setTimeout> | undefined
  #computeAbort: AbortController | undefined
  #isTypedInto = false
  /** An input holds something it has not handed in since the form was sent. */
  #isHeld = false
  /** The record on view came with the page, and has not been read by `open`. */
  #isForeseen = false
  #sent: { readonly key: string; readonly body: string } | undefined
  #moveKey: string | undefined
  #resend: ((acknowledge: readonly string[]) => Promise<void>) | undefined
  #isClosed = false

  constructor(options: SessionOptions) {
    const { screen, around } = options
    this.#options = options
    this.screen = screen
    this.store = new FormStore(screen, around, {})
    this.grids = new Map(gridsOf(screen).flatMap(({ wire, columns, max, slot }) => (slot === undefined ? [[wire, new LineStore(columns, max)] as const] : [])))
    this.lines = screen.lines === undefined ? undefined : this.grids.get(screen.lines.wire)
    for (const grid of this.grids.values()) {
      // What a line leaves empty is not what the header says under the same name.
      const nothing = Object.fromEntries(grid.columns.map(({ wire }) => [wire, undefined]))
      grid.judgeBy((column, row, day) => brokenRule(column, day, { ...this.store.values, ...nothing, ...row.values }, around))
    }
    this.#fields = new Map(allFields(screen).map((field) => [field.wire, field]))
    this.#state = {
      phase: 'loading',
      busy: false,
      record: undefined,
      refusal: undefined,
      problems: [],
      warnings: [],
      clash: undefined,
      draft: undefined,
      isDirty: false,
      totals: {},
      hints: [],
      computing: 'done',
      traced: [],
      keptAt: undefined,
    }
    const foreseen = options.recordId === undefined ? undefined : options.calls.foreseen?.(screen.resource, options.recordId)
    if (foreseen !== undefined) this.#begin(foreseen)
    this.store.onChange(() => this.#changed(true))
    this.store.onProblems(() => this.#dropSolved())
    for (const grid of this.grids.values()) {
      grid.onChange(() => {
        this.#dropSolved()
        this.#changed(grid === this.lines || screen.lines?.derives !== undefined)
      })
    }
  }

  get state(): FormState {
    return this.#state
  }

  /** Hand-written parts on view, by name. */
  get parts(): ReadonlyMap<string, SlotPart> {
    return this.#slots
  }

  get isNew(): boolean {
    return this.#state.record === undefined
  }

  /** A field of the header by its wire key. */
  field(wire: string): FormField | undefined {
    return this.#fields.get(wire)
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  /** Reads the record, or starts a new one, and looks for a draft. */
  async open(): Promise<void> {
    this.#isClosed = false
    const { recordId, calls } = this.#options
    const { phase, record: shown } = this.#state
    // What was foreseen is on view already, and may be typed into.
    const isForeseen = this.#isForeseen && phase === 'ready'
    this.#isForeseen = false
    if (!isForeseen) {
      // Read anew, it takes the place of what is typed.
      this.keepNow()
      this.#show({ phase: 'loading', refusal: undefined })
    }
    if (recordId === undefined) {
      const values = await this.#withReferences({ ...this.#named(), ...startValues(this.screen, this.#options.around) })
      const copy = values.ok ? await this.#beginning() : values
      if (this.#isClosed) return
      if (!values.ok) return this.#show({ phase: 'failed', refusal: values.problem })
      if (!copy.ok) return this.#show({ phase: 'failed', refusal: copy.problem })
      this.#take(undefined, values.value)
      copy.value?.()
      this.#show({ isDirty: this.#isDirty() })
    } else {
      const answer = await calls.read(this.screen.resource, recordId)
      if (this.#isClosed) return
      if (!answer.ok) {
        this.keepNow()
        return this.#show({ phase: 'failed', refusal: answer.problem })
      }
      // What is being typed into an older record stays: saving will find what others changed and offer to merge it.
      if (isForeseen && (answer.value.record === shown || this.isAtStake)) return this.#compute()
      this.#takeRecord(answer.value.record)
    }
    if (this.#isClosed) return
    this.#show({ phase: 'ready', draft: this.#draftLeft() })
    this.#compute()
  }

  /** Starts with a record that is there before the form is. */
  #begin(record: WireRecord): void {
    this.#isForeseen = true
    this.#baseLines = linesOf(record, this.screen)
    this.store.load({ ...record })
    this.#loadGrids()
    this.#state = { ...this.#state, phase: 'ready', record, totals: { ...record } }
    this.#state = { ...this.#state, draft: this.#draftLeft() }
  }

  get #draftKey(): string {
    return this.#options.draftKey(this.#state.record?.ID ?? this.#options.recordId)
  }

  /** The latest draft that says something else than the record on view. While nothing is typed that may be what was typed here before. */
  #draftLeft(): Draft | undefined {
    if (!this.#isDirty()) this.#draftId = newKey()
    return readDrafts(this.#draftKey).find((draft) => draft.id !== this.#draftId && this.#differs(draft))
  }

  /** What goes on top of a new record's header where only its lines are to be told. */
  newHeader(): Values {
    return headerPayload(this.screen, startValues(this.screen, this.#options.around), true, this.#options.around)
  }

  /** What may become lines of the record as typed. */
  candidates(signal: AbortSignal): ReturnType<FormCalls['compute']> | undefined {
    const { lines } = this.screen
    return lines?.compute === undefined ? undefined : this.#options.calls.compute(lines.compute, { ...headerPayload(this.screen, this.store.values, this.isNew, this.#options.around), [lines.wire]: [] }, signal)
  }

  /** How to take over what the form says a duplicate takes over, or the lines brought along: read before anything can be typed, which it would write over. */
  async #beginning(): Promise<Result<(() => void) | undefined, Refusal | undefined>> {
    const { copyOf, calls, around } = this.#options
    const ids = around.params[this.screen.lines?.pick ?? '']
    if (ids !== undefined) {
      const part = await loadChunk(() => import('./pick.ts')).catch(() => undefined)
      return part === undefined ? refuse(undefined) : await part.bringAlong(this, calls, ids)
    }
    if (copyOf === undefined || this.screen.copy === undefined) return accept(undefined)
    const part = await loadChunk(() => import('./duplicate.ts')).catch(() => undefined)
    return part === undefined ? refuse(undefined) : await part.duplicate(this, calls, copyOf)
  }

  /** Keeps the draft at once: the page may go away. */
  keepNow(): void {
    if (this.#state.phase !== 'ready') return
    void this.#flush()
    this.#keepDraft()
  }

  /** Resolves when codes typed last have been looked up; undefined: there are none. */
  #flush(): Promise<unknown> | undefined {
    const header = this.store.flush()
    for (const grid of this.grids.values()) grid.flush()
    const coming = [header, ...[...this.grids.values()].map((grid) => grid.settled)].filter((one) => one !== undefined)
    return coming.length === 0 ? undefined : Promise.all(coming)
  }

  /** The page goes: what is being typed is in the draft that closing keeps. */
  leave(): void {
    if (this.#state.phase === 'ready') void this.#flush()
  }

  /** Keeps the draft and stops everything under way. */
  close(): void {
    this.#isClosed = true
    if (this.#state.phase === 'ready' && this.#draftTimer !== undefined) this.#keepDraft()
    clearTimeout(this.#computeTimer)
    this.#computeAbort?.abort()
  }

  register(name: string, part: SlotPart): () => void {
    this.#slots.set(name, part)
    if (this.#state.phase === 'ready') part.load(this.#state.record)
    return () => {
      if (this.#slots.get(name) === part) this.#slots.delete(name)
    }
  }

  /** Would somebody who leaves now lose anything? */
  get isAtStake(): boolean {
    return this.#state.isDirty || (this.#isTypedInto && this.#state.phase === 'ready')
  }

  /** The first letter has reached an input, which has not taken it yet: nothing is drawn for it, but it is at stake. */
  readonly begins = (): void => {
    this.#isTypedInto = true
    this.#isHeld = true
  }

  /** Something is being typed that its input has not handed in yet: whoever leaves now would lose it as much as the rest. */
  readonly typing = (): void => {
    this.#isTypedInto = false
    if (this.#state.phase === 'ready' && !this.#state.isDirty) this.#show({ isDirty: true })
  }

  /** An input was left: what it held is in the form by now. */
  readonly typed = (): void => {
    this.#isHeld = false
    const isDirty = this.#isDirty()
    if (this.#state.phase === 'ready' && isDirty !== this.#state.isDirty) this.#show({ isDirty })
  }

  /** A slot changed what it holds. */
  readonly touched = (): void => this.#changed(false)

  /** Checks one field that was left; shows its problem only if something was entered. */
  checkField(wire: string): void {
    if (wire in this.store.unread) return
    if (this.store.isEmpty(wire) && same(this.store.base[wire], this.store.values[wire])) return
    const found = this.#headerProblems()
    this.store.setProblem(wire, found[wire])
    // A day is held against another: it may be right now that the other has been put right.
    const name = this.field(wire)?.name ?? ''
    for (const field of this.#fields.values()) {
      if (field.allows?.some(({ must }) => fieldsOf(must).includes(name)) === true && field.wire in this.store.problems) this.store.setProblem(field.wire, found[field.wire])
    }
    for (const grid of this.grids.values()) grid.judgeAgain(name)
  }

  /** Checks one line that was left. */
  checkLine(grid: string, rowKey: string): void {
    const lines = this.grids.get(grid)
    const row = lines?.row(rowKey)
    if (lines === undefined || row === undefined || row.fixed) return
    const problems = { ...saidOf(row), ...this.#rowProblems(grid, lines, row) }
    if (same(problems, row.problems)) return
    lines.decorate(lines.rows.map((one) => (one.key === rowKey ? { ...one, problems } : one)))
  }

  /** Saves, and moves the document by `action` in the same command if one is given: both or neither. Problems are shown, the first gets the focus of whoever asks. */
  async save(action?: string): Promise<void> {
    if (!this.#canSave()) return
    for (const grid of this.grids.values()) grid.lookUpAgain()
    this.#isHeld = false
    const coming = this.#flush()
    // What a code typed last stands for is known before it is checked.
    if (coming !== undefined) {
      await coming
      if (!this.#canSave()) return
    }
    const problems = this.check()
    if (problems.length > 0) return
    const { record } = this.#state
    if (record !== undefined && !this.#isDirty()) {
      // What was typed and taken back again is not at stake: nobody is asked about it on the way out.
      this.#isTypedInto = false
      this.#show({ isDirty: false })
      return action === undefined ? this.#options.onDone(record, undefined, false) : await this.#move(record, action, [])
    }
    await this.#send(action, [])
  }

  #canSave(): boolean {
    return this.#state.busy === false && this.#state.phase === 'ready' && !this.#isClosed
  }

  /** Everything that stands in the way of saving, shown at its place. */
  check(): readonly Problem[] {
    const header = { ...this.#headerProblems(), ...this.store.unread }
    this.store.setProblems(header)
    const problems: Problem[] = visibleFields(this.screen, this.store.values, this.#options.around)
      .filter((field) => header[field.wire] !== undefined)
      .map((field) => ({ label: field.label, message: header[field.wire] ?? { text: '' }, to: { kind: 'field', wire: field.wire } }))
    problems.push(...this.#checkLines())
    for (const [name, part] of this.#slots) problems.push(...part.problems().map((message): Problem => ({ label: '', message, to: { kind: 'slot', name } })))
    this.#show({ problems, refusal: undefined })
    return problems
  }

  /** Goes on although the server warns. */
  async acknowledge(): Promise<void> {
    const ids = this.#state.warnings.map((warning) => warning.id)
    this.#show({ warnings: [] })
    await this.#resend?.(ids)
  }

  dismissWarnings(): void {
    this.#show({ warnings: [] })
  }

  /** Goes on with the record as they saved it and `values` over it; `given`: fields, grids and parts that become theirs; `merged`: lines of both, by grid. */
  settleClash(values: Values, given: ReadonlySet<string>, merged: ReadonlyMap<string, readonly Values[]>): void {
    const { clash } = this.#state
    if (clash === undefined) return
    if (clash.draft !== undefined) return this.#takeUp(clash.draft, values, given)
    this.store.load({ ...clash.current }, values)
    const mine = new Map([...this.grids].flatMap(([wire, grid]) => (given.has(wire) || !this.isGridDirty(wire, grid) ? [] : [[wire, merged.get(wire) ?? enteredRows(grid.rows, grid.columns).map(asKept)]])))
    this.#baseLines = linesOf(clash.current, this.screen)
    this.#loadGrids(mine)
    for (const [name, part] of this.#slots) {
      if (!given.has(name)) continue
      if (part.merge === undefined) part.load(clash.current)
      else part.merge(clash.current)
    }
    this.#sent = undefined
    this.#show({ clash: undefined, record: clash.current, isDirty: this.#isDirty() })
    this.#compute()
  }

  dismissClash(): void {
    this.#show({ clash: undefined })
  }

  /** Takes up what an earlier visit left; what is typed meanwhile is left in its place. One begun in an older version of the record may clash with what others changed. */
  restoreDraft(): void {
    const { draft, record } = this.#state
    if (draft === undefined) return
    if (record !== undefined && draft.version !== record.Version) return this.#show({ clash: { current: record, draft } })
    const { '#slots': _, ...values } = draft.values
    this.#takeUp(draft, { ...this.store.base, ...values }, new Set())
  }

  #takeUp(draft: Draft, values: Values, given: ReadonlySet<string>): void {
    this.keepNow()
    this.#draftId = draft.id
    const { '#slots': slots } = draft.values
    this.store.load(this.store.base, values, Object.fromEntries(Object.entries(draft.typed ?? {}).filter(([wire]) => !given.has(wire) && this.field(wire)?.readOnly === false)))
    this.#loadGrids(new Map(Object.entries(draft.lines).filter(([wire]) => !given.has(wire))))
    for (const [name, part] of this.#slots) {
      // What is typed now was kept as a draft of its own, and makes room.
      part.load(this.#state.record)
      if (!given.has(name)) part.restore(typeof slots === 'object' && slots !== null ? Reflect.get(slots, name) : undefined)
    }
    this.#sent = undefined
    this.#show({ draft: this.#draftLeft(), keptAt: draft.at, isDirty: this.#isDirty(), clash: undefined })
    this.#compute()
  }

  /** Another window has kept or saved what is offered here. */
  readonly draftsChanged = (): void => {
    if (this.#state.draft !== undefined) this.#show({ draft: this.#draftLeft() })
  }

  /** Throws away what an earlier visit left; there may be more of it. */
  dropDraft(): void {
    const { draft } = this.#state
    if (draft === undefined) return
    dropDraft(this.#draftKey, draft.id)
    this.#show({ draft: this.#draftLeft() })
  }

  /** Back to the record as read; the draft of what was typed here goes too. */
  discard(): void {
    this.store.load(this.store.base)
    this.#loadGrids()
    for (const part of this.#slots.values()) part.load(this.#state.record)
    this.#beginDraft()
    this.#show({ problems: [], refusal: undefined, isDirty: false, keptAt: undefined })
    this.#compute()
  }

  #headerProblems(): Readonly<Record<string, Message>> {
    const { validation, around } = this.#options
    const { values } = this.store
    const visible = new Set(visibleFields(this.screen, values, around).filter((field) => !field.readOnly).map((field) => field.wire))
    const data = schemaData(Object.keys(validation.schema.properties ?? {}), values, visible)
    const validate = validation.validators[this.screen.id]
    const reported = validate === undefined || validate(data) ? [] : (validate.errors ?? [])
    const byRule = messagesOf(reported, this.#fields, data)
    const all = { ...checkFields(this.screen, values, around), ...byRule }
    return Object.fromEntries(Object.entries(all).filter(([wire]) => visible.has(wire)))
  }

  #rowProblems(grid: string, lines: LineStore, row: GridRow): Readonly<Record<string, Message>> {
    const validateRow = this.#options.validation.validateRow[grid]
    if (row.fixed || isEmpty(row, lines.columns)) return {}
    const data = Object.fromEntries(Object.entries(row.values).filter(([, value]) => !isNothing(value)))
    const reported = validateRow === undefined || validateRow(data) ? [] : (validateRow.errors ?? [])
    const wires = new Set(lines.columns.filter((column) => column.entry).map((column) => column.wire))
    const byRule = Object.fromEntries(Object.entries(messagesOf(reported, new Map(lines.columns.map((column) => [column.wire, column])), data)).filter(([wire]) => wires.has(wire)))
    const unread = Object.fromEntries(Object.entries(row.typed ?? {}).map(([wire, text]) => [wire, row.problems[wire] ?? { key: 'ui.grid.unread', params: { text } }]))
    // What a reference fills comes with it: as long as that cannot be read, nobody need fill it in.
    const filled = new Set(lines.columns.flatMap(({ wire, fills = {} }) => (row.typed?.[wire] === undefined ? [] : Object.keys(fills).map(wireName))))
    const missing = Object.fromEntries(Object.entries({ ...checkRow(row, lines.columns), ...lines.beyond(row), ...byRule }).filter(([wire]) => !filled.has(wire) || !isNothing(row.values[wire])))
    return { ...missing, ...unread }
  }

  #checkLines(): readonly Problem[] {
    return this.#shownGrids().flatMap(([grid, lines]) => {
      const found = new Map(lines.rows.map((row) => [row.key, this.#rowProblems(grid, lines, row)]))
      const next = lines.rows.map((row) => {
        const problems = { ...saidOf(row), ...found.get(row.key) }
        return same(problems, row.problems) ? row : { ...row, problems }
      })
      if (next.some((row, i) => row !== lines.rows[i])) lines.decorate(next)
      // What the server said stands in nobody's way: it is asked again.
      return next.flatMap((row, i) =>
        Object.entries(found.get(row.key) ?? {}).map(([wire, message]): Problem => ({
          label: lines.columns.find((column) => column.wire === wire)?.label ?? '',
          message,
          line: i + 1,
          to: { kind: 'line', grid, rowKey: row.key, wire },
        })),
      )
    })
  }

  /** Lines of a hidden section stay as they are on the server. */
  #shownGrids(): readonly (readonly [wire: string, grid: LineStore])[] {
    const hidden = new Set(this.screen.sections.filter((section) => !isSectionVisible(section, this.store.values, this.#options.around)).map(({ lines }) => lines?.wire))
    return [...this.grids].filter(([wire]) => !hidden.has(wire))
  }

  async #send(next: string | undefined, acknowledge: readonly string[]): Promise<void> {
    const body = this.#body()
    const record = this.#state.record
    const text = JSON.stringify([record?.ID, record?.Version, body, next])
    // The same key again when the same thing is sent again, so that a lost answer never makes a second change.
    if (this.#sent?.body !== text) this.#sent = { body: text, key: newKey() }
    // A new record is one thing whatever is changed in it and whichever window sends it: once made, it is not made again unless somebody wants two.
    const key = record === undefined && this.#draftId !== onlyDraft ? this.#draftId : this.#sent.key
    const sending = { key, acknowledge, ...(next === undefined ? {} : { next }) }
    this.#keepDraft()
    const sent = this.#standing()
    this.#show({ busy: next ?? 'saving', refusal: undefined, problems: [] })
    const { calls } = this.#options
    const answer =
      record === undefined ? await calls.create(this.screen.resource, body, sending) : await calls.save(this.screen.resource, record.ID, record.Version ?? 0, body, sending)
    const isLate = this.#isHeld || this.#standing().text !== sent.text
    // Whoever has left meanwhile is not offered what has been saved.
    if (answer.ok && !(isLate && this.#isClosed && record !== undefined)) dropDraft(this.#draftKey, this.#draftId)
    const isTwice = !answer.ok && answer.problem.code === 'DUPLICATE_REQUEST'
    if (answer.ok || isTwice) this.#sent = undefined
    if (this.#isClosed) return
    // Whoever saves it after having been told wants two.
    if (isTwice && record === undefined) this.#beginDraft()
    if (!answer.ok) return await this.#refused(answer.problem, (ids) => this.#send(next, [...acknowledge, ...ids]), sent)
    // Saved and moved on at once it comes without its lines and without names of what it refers to.
    const saved = next === undefined ? answer.value.record : { ...sent.values, ...body, ...answer.value.record }
    if (isLate) await this.#takeUnder(saved, sent)
    else {
      this.#takeRecord(saved)
      this.#show({ draft: undefined, keptAt: undefined })
    }
    this.#show({ busy: false })
    this.#options.onDone(answer.value.record, next, isLate)
  }

  /** What is in the form now, and as text: the same text is the same entered. */
  #standing(): Sent {
    const { values, typed } = this.store
    const parts = new Map([...this.#slots.values()].map((part) => [part, part.payload()]))
    return { text: JSON.stringify([this.#body(), typed]), values, typed, parts, rows: new Map([...this.grids.values()].map((grid) => [grid, grid.rows])) }
  }

  /** Takes the saved record under what was typed since it was sent, which stays where it stands, inputs and all. */
  async #takeUnder(saved: WireRecord, sent: Sent): Promise<void> {
    const late = isEditable(saved, this.screen) ? await loadChunk(() => import('./late.ts')).catch(() => undefined) : undefined
    if (late === undefined) {
      // It can no longer be saved: the draft waits until it can.
      void this.#flush()
      this.#show({ record: saved })
      this.#keepDraft()
      this.#takeRecord(saved)
      return this.#show({ draft: this.#draftLeft(), keptAt: undefined })
    }
    this.#baseLines = linesOf(saved, this.screen)
    this.#show({ record: saved, totals: { ...saved }, draft: undefined, keptAt: undefined })
    late.takeUnder(this, saved, sent)
    this.#changed(true)
    this.#show({ isDirty: this.#isHeld || this.#isDirty() })
  }

  async #move(record: WireRecord, action: string, acknowledge: readonly string[]): Promise<void> {
    this.#moveKey ??= newKey()
    this.#show({ busy: action, refusal: undefined })
    const answer = await this.#options.calls.transition(this.screen.resource, record.ID, action, record.Version, {}, { key: this.#moveKey, acknowledge })
    if (this.#isClosed) return
    if (!answer.ok) return await this.#refused(answer.problem, (ids) => this.#move(record, action, [...acknowledge, ...ids]))
    this.#moveKey = undefined
    this.#show({ busy: false })
    this.#options.onDone(answer.value.record, action, false)
  }

  async #refused(refusal: Refusal, resend: (acknowledge: readonly string[]) => Promise<void>, sent = this.#standing()): Promise<void> {
    if (refusal.code === 'WARNINGS') {
      this.#resend = resend
      return this.#show({ busy: false, warnings: refusal.warnings })
    }
    this.#moveKey = undefined
    if ((refusal.code === 'VERSION_CONFLICT' || refusal.code === 'ILLEGAL_TRANSITION') && this.#state.record !== undefined) {
      const answer = await this.#options.calls.read(this.screen.resource, this.#state.record.ID)
      if (this.#isClosed) return
      // Somebody has moved it on: nothing typed can be saved into it now, so nothing of it may stand there as if it were. The draft waits until it can.
      if (answer.ok && !isEditable(answer.value.record, this.screen)) {
        this.keepNow()
        this.#takeRecord(answer.value.record)
        return this.#show({ busy: false, refusal, draft: this.#draftLeft(), keptAt: undefined })
      }
      if (answer.ok && refusal.code === 'VERSION_CONFLICT') return this.#show({ busy: false, clash: { current: answer.value.record } })
    }
    this.#show({ busy: false, refusal, problems: placeProblems(this, refusal.errors, sent) })
  }

  focusSlot(name: string): void {
    this.#slots.get(name)?.focus()
  }

  #body(): Values {
    const body: Record<string, unknown> = { ...headerPayload(this.screen, this.store.values, this.isNew, this.#options.around) }
    // Where only some fields may be changed, lines stay as they are.
    const isNarrowed = openFields(this.#state.record, this.screen) !== undefined
    for (const [wire, grid] of isNarrowed ? [] : this.#shownGrids()) body[wire] = lineBodies(grid, enteredRows(grid.rows, grid.columns))
    for (const part of this.#slots.values()) Object.assign(body, part.payload())
    return body
  }

  #takeRecord(record: WireRecord): void {
    this.#take(record, { ...record })
  }

  #take(record: WireRecord | undefined, values: Values): void {
    this.#baseLines = record === undefined ? {} : linesOf(record, this.screen)
    this.#show({ record, phase: 'ready', totals: record === undefined ? {} : { ...record }, problems: [], refusal: undefined })
    this.store.load(values)
    this.#loadGrids()
    for (const part of this.#slots.values()) part.load(record)
    clearTimeout(this.#draftTimer)
    this.#draftTimer = undefined
    this.#show({ isDirty: false })
  }

  /** Lines as they were read, or `mine` in their place. */
  #loadGrids(mine?: ReadonlyMap<string, readonly Values[]>): void {
    for (const [wire, grid] of this.grids) {
      const read = this.linesRead(wire)
      const entered = mine?.get(wire)
      grid.load(entered === undefined ? read : inPlaceOf(read, entered))
    }
  }

  #named(): Values {
    const { named } = this.#options
    const field = allFields(this.screen).find(({ name, type }) => name === 'name' && type === 'text')
    return named === undefined || field === undefined ? {} : { [field.wire]: named }
  }

  /** With labels and fills of the references a new record starts with (the customer a receipt is opened for). Refused where they could not be read. */
  async #withReferences(start: Values): Promise<Answer<Values>> {
    let values = start
    for (const field of allFields(this.screen)) {
      const id = start[field.wire]
      if (field.type !== 'ref' || field.entity === undefined || typeof id !== 'number') continue
      const answer = await this.#options.calls.options(field.entity, [id], fillColumns(field.fills))
      if (!answer.ok && !isWithheld(answer.problem)) return answer
      const option = answer.ok ? answer.value[0] : undefined
      if (option === undefined) continue
      const names = referenceNames(field.name)
      values = { ...values, [names.code]: option['Code'], [names.name]: option['Name'], ...fillValues(field.fills ?? {}, option) }
    }
    return accept(values)
  }

  #differs(draft: Draft): boolean {
    const { '#slots': slots, ...values } = draft.values
    return (
      slots !== undefined ||
      Object.entries(values).some(([key, value]) => !same(value, this.store.values[key])) ||
      Object.entries(draft.typed ?? {}).some(([wire, text]) => text !== this.store.typed[wire]) ||
      [...this.grids.keys()].some((wire) => draft.lines[wire] !== undefined && !same(draft.lines[wire].map(stripVersion), this.linesRead(wire).map(stripVersion)))
    )
  }

  #changed(recompute: boolean): void {
    if (this.#state.phase !== 'ready') return
    clearTimeout(this.#draftTimer)
    this.#draftTimer = setTimeout(() => this.#keepDraft(), draftDelay)
    const isDirty = this.#isDirty()
    if (isDirty !== this.#state.isDirty) this.#show({ isDirty })
    if (recompute) this.#compute()
  }

  #dropSolved(): void {
    const { problems } = this.#state
    const left = problems.filter(({ to }) => {
      if (to.kind === 'field') return to.wire in this.store.problems
      return to.kind !== 'line' || to.wire in (this.grids.get(to.grid)?.row(to.rowKey)?.problems ?? {})
    })
    if (left.length < problems.length) this.#show({ problems: left })
  }

  #isDirty(): boolean {
    return this.store.isDirty || [...this.grids].some(([wire, grid]) => this.isGridDirty(wire, grid)) || [...this.#slots.values()].some((part) => part.isDirty())
  }

  /** Was a line of it entered, changed or removed since it was read? */
  isGridDirty(wire: string, lines: LineStore): boolean {
    return areLinesDirty(lines, this.linesRead(wire))
  }

  /** Lines of a grid as they were read. */
  linesRead(wire: string): readonly Values[] {
    return this.#baseLines[wire] ?? []
  }

  /** What is typed from here on is something else than what was sent before. */
  #beginDraft(): void {
    dropDraft(this.#draftKey, this.#draftId)
    this.#draftId = newKey()
  }

  #keepDraft(): void {
    clearTimeout(this.#draftTimer)
    this.#draftTimer = undefined
    if (!this.#isDirty()) return dropDraft(this.#draftKey, this.#draftId)
    const slots = Object.fromEntries([...this.#slots].map(([name, part]) => [name, part.draft()]).filter(([, draft]) => draft !== undefined))
    const { typed, base } = this.store
    const changed = Object.entries(this.store.values).filter(([key, value]) => !same(value, base[key]))
    const places = [...changed.map(([key]) => key), ...allFields(this.screen).flatMap((field) => (field.wire in typed ? keysOf(field) : []))]
    const at = this.#options.now()
    const { record } = this.#state
    // Lines nobody touched are not kept: taken up again they would be laid over what others have changed in them meanwhile.
    const grids = [...this.grids].filter(([wire, grid]) => record === undefined || this.isGridDirty(wire, grid))
    keepDraft(this.#draftKey, {
      id: this.#draftId,
      at,
      version: record?.Version,
      typed,
      values: { ...Object.fromEntries(changed), ...(Object.keys(slots).length === 0 ? {} : { '#slots': slots }) },
      lines: Object.fromEntries(grids.map(([wire, grid]) => [wire, enteredRows(grid.rows, grid.columns).map(asKept)])),
      from:
        record === undefined
          ? undefined
          : { values: Object.fromEntries(places.map((key) => [key, base[key]])), lines: Object.fromEntries(grids.map(([wire, grid]) => [wire, enteredText(grid, this.linesRead(wire))])) },
    })
    if (!this.#isClosed) this.#show({ keptAt: at })
  }

  /** Asks the server for prices and totals once typing pauses; only the answer to the last question counts. */
  #compute(): void {
    const command = this.screen.lines?.compute
    const { lines } = this
    if (command === undefined || lines === undefined) return
    clearTimeout(this.#computeTimer)
    this.#computeTimer = setTimeout(async () => {
      const sent = enteredRows(lines.rows, lines.columns)
      const { unread } = this.store
      const requiredEmpty = visibleFields(this.screen, this.store.values, this.#options.around).some((field) => field.required && (this.store.isEmpty(field.wire) || field.wire in unread))
      const header = headerPayload(this.screen, this.store.values, this.isNew, this.#options.around)
      const about = JSON.stringify(header)
      const wire = this.screen.lines?.wire ?? 'Lines'
      const isProposed = this.screen.lines?.propose === true && this.isNew && this.#proposedFor !== about && !this.isGridDirty(wire, lines)
      // Lines are not exchanged for proposed ones under somebody's hands: what he types comes first.
      if (isProposed && lines.editing !== undefined) return this.#compute()
      // What suggests makes do with what there is already.
      if (this.screen.lines?.suggests === undefined && ((sent.length === 0 && !isProposed) || requiredEmpty)) {
        this.#computeAbort?.abort()
        this.#show({ computing: 'done' })
        // Without its customer an order has no prices: those of the one before would be taken for it. A record that is only looked at keeps what it has.
        const isVoid = requiredEmpty && this.#state.isDirty
        if (isVoid) lines.decorate(takeComputed(lines.rows, lines.columns, sent, sent.map((_, i) => ({ ...withoutComputed(lines.columns), LineNo: i + 1 }))))
        if (isVoid || (sent.length === 0 && this.isNew)) this.#show({ totals: {}, hints: [], traced: [] })
        return
      }
      this.#computeAbort?.abort()
      const abort = new AbortController()
      this.#computeAbort = abort
      this.#show({ computing: 'asked' })
      const isTraced = this.screen.lines?.trace !== undefined
      // What is derived may be added up over other lines too.
      const others = this.screen.lines?.derives === undefined ? [] : this.#shownGrids().filter(([at]) => at !== wire)
      const body = { ...header, ...(isTraced ? { Trace: true } : {}), ...Object.fromEntries(others.map(([at, grid]) => [at, lineBodies(grid, enteredRows(grid.rows, grid.columns))])), [wire]: isProposed ? [] : lineBodies(lines, sent) }
      const answer = await this.#options.calls.compute(command, this.#state.record === undefined ? body : { ID: this.#state.record.ID, ...body }, abort.signal)
      if (abort.signal.aborted || this.#isClosed) return
      if (!answer.ok) return this.#show({ computing: 'refused' })
      const { record } = answer.value
      const derived = (this.screen.lines?.derives ?? []).filter((key) => !same(this.store.values[key], record[key]))
      if (derived.length > 0) this.store.prefill(Object.fromEntries(derived.map((key) => [key, record[key]])))
      if (isProposed && (lines.editing !== undefined || this.isGridDirty(wire, lines))) {
        this.#show({ computing: 'done' })
        return this.#compute()
      }
      if (isProposed) {
        const proposed = answer.value.record.Lines
        this.#proposedFor = about
        this.#baseLines = { ...this.#baseLines, [wire]: proposed }
        this.#show({ computing: 'done', totals: answer.value.record, hints: [] })
        return lines.load(proposed)
      }
      if (this.screen.lines?.suggests !== undefined) await this.#fillIn(lines, sent, answer.value.record)
      if (abort.signal.aborted || this.#isClosed) return
      lines.decorate(withServerProblems(takeComputed(lines.rows, lines.columns, sent, answer.value.record.Lines, this.screen.lines?.origin === undefined ? [] : originKeys(this.screen.lines.origin)), sent, answer.value.errors ?? [], lines.columns[0]?.wire ?? ''))
      this.#show({ computing: 'done', totals: answer.value.record, hints: answer.value.Hints ?? [], ...(isTraced ? { traced: answer.value.record.Lines } : {}) })
    }, computeDelay)
  }

  /** Fills in what is suggested again, even what was taken away. */
  suggest(): void {
    this.#suggestions?.forget()
    this.#isAskedFor = true
    this.#compute()
  }

  /** A record that is only looked at is not changed by being opened. */
  async #fillIn(lines: LineStore, sent: readonly GridRow[], record: Computed): Promise<void> {
    const suggests = this.screen.lines?.suggests
    const loaded = suggests === undefined ? undefined : await loadChunk(() => import('./suggestions.ts')).catch(() => undefined)
    if (loaded === undefined || suggests === undefined) return
    this.#suggestions ??= new loaded.Suggestions(suggests)
    this.#suggestions.fillIn(this.store, lines, sent, record, !this.isNew && !this.#isAskedFor && !this.#isDirty())
    this.#isAskedFor = false
  }

  #show(change: Partial<FormState>): void {
    this.#state = { ...this.#state, ...change }
    for (const listener of [...this.#listeners]) listener()
  }
}
