/** What may be shown again before it is asked for again. */
const most = 20

const last = new Map<string, unknown>()

/** The answer last given to a question, until a command is sent: shown at once to who comes back, while the question is asked anew. */
export function lastAnswer(question: string): unknown {
  return last.get(question)
}

/** Keeps an answer; one that says the same as the last is the last, so that nothing is drawn again for it. Undefined: refused by now. */
export function keepAnswer<T>(question: string, answer: T | undefined): T | undefined {
  const before = last.get(question) as T | undefined
  last.delete(question)
  if (answer === undefined) return undefined
  const kept = before !== undefined && JSON.stringify(before) === JSON.stringify(answer) ? before : answer
  last.set(question, kept)
  for (const oldest of [...last.keys()].slice(0, -most)) last.delete(oldest)
  return kept
}

const forgotten = [() => last.clear()]

/** A command may have changed anything: what was asked before it is asked anew. */
export function forgetAnswers(): void {
  for (const forget of forgotten) forget()
}

/** Whoever keeps answers of his own forgets them too. */
export function onForgetAnswers(forget: () => void): void {
  forgotten.push(forget)
}
