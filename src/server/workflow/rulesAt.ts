import type { FieldProblem } from '#api/problems.ts'
import { wireName } from '#base/wireName.ts'
import { fieldsOf, holds, type Surroundings } from '#meta/evaluate.ts'
import type { ResolvedEntity, Rule } from '#meta/resolved.ts'
import type { TransitionContext } from '#server/context.ts'
import { knownEntity } from '#server/documents/entities.ts'
import { readersOf, type Reached } from '#server/documents/reach.ts'
import { invalid } from '#server/problemError.ts'
import { said } from '#server/sentences.ts'
import { linesOf } from './documentLines.ts'

type AskedRule = Extract<Rule, { readonly at: readonly string[] }>

/** Rules of the document and of its lines that are asked at this transition; everything broken is told together. */
export async function checkRulesAt(context: TransitionContext): Promise<void> {
  const { entity, metadata, current } = context
  const problems = await broken(context, rulesOf(context, entity), [{ entity, row: current }], () => '')
  for (const line of entity.lines) {
    const rules = rulesOf(context, knownEntity(metadata, line.entity))
    if (rules.length > 0) problems.push(...(await broken(context, rules, await linesOf(context, line.name), (i) => `${line.wire}[${i}].`)))
  }
  if (problems.length > 0) invalid(problems)
}

function rulesOf({ action }: TransitionContext, { rules = [] }: ResolvedEntity): readonly AskedRule[] {
  return rules.filter((rule): rule is AskedRule => 'must' in rule && rule.at?.includes(action.action) === true)
}

async function broken(context: TransitionContext, rules: readonly AskedRule[], records: readonly Reached[], prefix: (at: number) => string): Promise<FieldProblem[]> {
  if (rules.length === 0 || records.length === 0) return []
  const around: Surroundings = { user: { id: context.user.id }, today: context.today, params: {} }
  const readers = await readersOf(context, records, rules.flatMap(({ must, when }) => [...fieldsOf(must), ...(when === undefined ? [] : fieldsOf(when))]))
  return readers.flatMap((read, i) =>
    rules.filter(({ must, when }) => (when === undefined || holds(when, read, around)) && !holds(must, read, around)).map(({ field, label }): FieldProblem => ({ field: prefix(i) + wireName(field), code: 'RULE', ...said({ key: label, params: {} }) })))
}
