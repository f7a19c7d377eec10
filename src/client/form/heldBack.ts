/** Hands in what an input holds; resolves when it is known what that stands for. */
export type HandIn = () => Promise<unknown> | undefined | void

/** Takes note of how to hand in what an input holds; answers how to forget it. */
export type HoldBack = (handIn: HandIn) => () => void

/** Inputs that keep what is typed until they are left. Who needs it now has it handed in. */
export class HeldBack {
  readonly #inputs = new Map<string, HandIn>()

  add(name: string, handIn: HandIn): () => void {
    this.#inputs.set(name, handIn)
    return () => {
      if (this.#inputs.get(name) === handIn) this.#inputs.delete(name)
    }
  }

  /** Resolves when codes among it have been looked up; undefined: there are none. */
  handIn(): Promise<unknown> | undefined {
    const coming = [...this.#inputs.values()].flatMap((handIn) => handIn() ?? [])
    return coming.length === 0 ? undefined : Promise.all(coming)
  }
}
