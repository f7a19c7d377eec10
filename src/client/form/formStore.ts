import { allFields, settle, visibleFields, type Values } from './formModel.ts'
import { HeldBack, type HandIn } from './heldBack.ts'
import { isNothing, same } from './same.ts'
import type { FormScreen } from '#meta/resolved.ts'
import type { Surroundings } from './conditions.ts'
import type { Message } from './message.ts'

type Listener = () => void

/** Typed text by wire key. */
export type Typed = Readonly<Record<string, string>>

/**
 * Header of one open form, outside React: typing stays in the input that has the focus, a value that is done with comes here, and only who
 * asked about that field hears of it.
 */
export class FormStore {
  readonly screen: FormScreen
  readonly around: Surroundings
  #values: Values
  #base: Values
  #problems: Readonly<Record<string, Message>> = {}
  /** Typed text that is no value yet ("12/45/2025"), and why, if that is known; the field keeps showing it, saving waits for it. */
  readonly #unread = new Map<string, { readonly why: Message | undefined; readonly text: string | undefined }>()
  readonly #held = new HeldBack()
  readonly #anyListeners = new Set<Listener>()
  readonly #problemListeners = new Set<Listener>()
  readonly #loadListeners = new Set<Listener>()
  #generation = 0

  constructor(screen: FormScreen, around: Surroundings, values: Values) {
    this.screen = screen
    this.around = around
    this.#values = values
    this.#base = values
  }

  get values(): Values {
    return this.#values
  }

  /** Values as they were read from the server, or as a new record starts. */
  get base(): Values {
    return this.#base
  }

  get problems(): Readonly<Record<string, Message>> {
    return this.#problems
  }

  /** Grows with every load; inputs that keep typed text start over. */
  get generation(): number {
    return this.#generation
  }

  /** Starts over from a record; `typed`: what stands in fields and is no value yet. */
  load(base: Values, values: Values = base, typed: Typed = {}): void {
    this.#base = base
    this.#values = values
    this.#unread.clear()
    for (const [wire, text] of Object.entries(typed)) this.#unread.set(wire, { why: { key: 'ui.grid.unread', params: { text } }, text })
    this.#problems = this.unread
    this.#generation += 1
    this.#tell(this.#loadListeners)
    this.#tell(this.#anyListeners)
    this.#tell(this.#problemListeners)
  }

  /** Takes a saved record under what is typed: inputs go on with what they hold. `sent`: what stood in fields and was no value when it was sent. */
  takeUnder(base: Values, values: Values, sent: Typed): void {
    this.#base = base
    this.#values = values
    for (const [wire, text] of Object.entries(this.typed)) if (sent[wire] === text) this.#unread.delete(wire)
    this.#tell(this.#anyListeners)
  }

  /** Takes values with everything that follows from them. Problems of changed fields are forgotten. */
  set(changes: Values): void {
    this.#change(changes, false)
  }

  /** Fills in what nobody typed (the only choice there is): a form still untouched stays so. */
  prefill(changes: Values): void {
    this.#change(changes, !this.isDirty)
  }

  #change(changes: Values, asOpened: boolean): void {
    if (Object.entries(changes).every(([key, value]) => same(this.#values[key], value))) return
    const next = settle(this.screen, this.#values, changes, this.around)
    const changed = Object.keys(next).filter((key) => !same(next[key], this.#values[key]))
    this.#values = next
    if (asOpened) this.#base = next
    if (changed.some((key) => key in this.#problems)) {
      this.#problems = Object.fromEntries(Object.entries(this.#problems).filter(([key]) => !changed.includes(key)))
      this.#tell(this.#problemListeners)
    }
    this.#tell(this.#anyListeners)
  }

  setProblems(problems: Readonly<Record<string, Message>>): void {
    if (same(problems, this.#problems)) return
    this.#problems = problems
    this.#tell(this.#problemListeners)
  }

  /** Shows or takes away the problem of one field. */
  setProblem(wire: string, problem: Message | undefined): void {
    const rest = Object.fromEntries(Object.entries(this.#problems).filter(([key]) => key !== wire))
    this.setProblems(problem === undefined ? rest : { ...rest, [wire]: problem })
  }

  /** Text that stands in a field and is no value, or not yet, and why; neither when it is one. */
  setUnread(wire: string, why: Message | undefined, text?: string): void {
    const before = this.typed[wire]
    if (why === undefined && text === undefined) this.#unread.delete(wire)
    else this.#unread.set(wire, { why, text })
    this.setProblem(wire, why)
    if (before !== this.typed[wire]) this.#tell(this.#anyListeners)
  }

  /** Texts that stand in fields and are no values. */
  get typed(): Typed {
    return Object.fromEntries([...this.#unread].flatMap(([wire, { text }]) => (text === undefined ? [] : [[wire, text]])))
  }

  get unread(): Readonly<Record<string, Message>> {
    const visible = new Set(visibleFields(this.screen, this.#values, this.around).map((field) => field.wire))
    return Object.fromEntries([...this.#unread].flatMap(([wire, { why }]) => (why !== undefined && visible.has(wire) ? [[wire, why]] : [])))
  }

  /** Has anything been entered since the record was read? */
  get isDirty(): boolean {
    return Object.keys(this.#values).some((key) => !same(this.#values[key], this.#base[key])) || this.#unread.size > 0
  }

  /** Wire keys of the fields whose value differs from the base. */
  get changedFields(): readonly string[] {
    return allFields(this.screen)
      .map((field) => field.wire)
      .filter((wire) => !same(this.#values[wire], this.#base[wire]))
  }

  isEmpty(wire: string): boolean {
    return isNothing(this.#values[wire])
  }

  /** An input that holds typed text back until it is left says here how to hand it in now. */
  holdBack(wire: string, handIn: HandIn): () => void {
    return this.#held.add(wire, handIn)
  }

  /** Hands in what is typed and not yet left. Resolves when codes among it have been looked up; undefined: there are none. */
  flush(): Promise<unknown> | undefined {
    return this.#held.handIn()
  }

  readonly onChange = (listener: Listener): (() => void) => subscribe(this.#anyListeners, listener)
  readonly onProblems = (listener: Listener): (() => void) => subscribe(this.#problemListeners, listener)
  readonly onLoad = (listener: Listener): (() => void) => subscribe(this.#loadListeners, listener)

  #tell(listeners: ReadonlySet<Listener>): void {
    for (const listener of [...listeners]) listener()
  }
}

function subscribe(listeners: Set<Listener>, listener: Listener): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}
