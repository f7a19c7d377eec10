import { exact, grouped, type Decimal } from '#base/decimal.ts'
import type { ApprovalFact } from '#api/approval.ts'
import { isWorse } from '#domain/credit/creditCheck.ts'
import { say, type Sentence } from '#meta/sentence.ts'
import type { CommandContext } from '#server/context.ts'
import { said } from '#server/sentences.ts'

/** Numbers a decision hangs on, which way is the worse one, and the block they are about. The others follow from them, or worsen day by day on their own. */
const decisive: Readonly<Record<string, { readonly worse: 'up' | 'down'; readonly code: string }>> = {
  excess: { worse: 'up', code: 'CL01' },
  'group-exposure': { worse: 'up', code: 'CL01' },
  overdue: { worse: 'up', code: 'CL02' },
  margin: { worse: 'down', code: 'PR01' },
  paid: { worse: 'up', code: 'WORSENED' },
  'below-floor': { worse: 'up', code: 'WORSENED' },
  'open-amount': { worse: 'up', code: 'WORSENED' },
}

/** Asks whoever approves whether he knows of each decisive number that is past its bounds and has become worse since approval was asked for. */
export function warnOfWorse(context: CommandContext, asked: readonly ApprovalFact[], now: readonly ApprovalFact[]): void {
  const exposure = now.find(({ name }) => name === 'exposure')?.value ?? '0'
  for (const [at, fact] of now.entries()) {
    const rule = Object.hasOwn(decisive, fact.name) ? decisive[fact.name] : undefined
    if (rule === undefined || !fact.isOver || fact.value === null) continue
    const before = asked.find(({ group, name, subject }) => group === fact.group && name === fact.name && subject === fact.subject)
    const then = before?.isOver === true ? before.value : null
    if (then !== null && !hasWorsened(fact, then, rule.worse, exposure)) continue
    // Its value is part of the name: seen at one number is not seen at the next.
    context.warn(`worse-${fact.name}-${at}-${fact.value}`, rule.code, said(sentenceOf(fact, fact.value, before?.value ?? null)))
  }
}

function hasWorsened({ group, value }: ApprovalFact, then: Decimal, way: 'up' | 'down', exposure: Decimal): boolean {
  const [less, more] = way === 'up' ? [then, value ?? then] : [value ?? then, then]
  return group === 'credit' ? isWorse(more, less, exposure) : exact(more).gt(less)
}

function sentenceOf(fact: ApprovalFact, now: Decimal, then: Decimal | null): Sentence {
  const number: Sentence = { key: `fact.${fact.name}` }
  const what = fact.subject === undefined ? number : say('warning.worse.of', { number, subject: fact.subject })
  return then === null ? say('warning.worse.new', { number: what, now: valueText(fact, now) }) : say('warning.worse', { number: what, before: valueText(fact, then), now: valueText(fact, now) })
}

function valueText({ format }: ApprovalFact, value: Decimal): string {
  return format === 'percent' ? `${value} %` : format === 'money' ? grouped(value) : value
}
