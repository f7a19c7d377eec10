import type { DocumentApprovalSource, TransitionSource, WorkflowSource } from '#generated/language.ts'

/**
 * The transitions of a workflow: those its approval brings along, then those written out. One written out with the action of a standard one
 * stands in its place.
 */
export function transitionsOf({ approval, settles, consumes, moves, adjusts, books, transitions = [] }: WorkflowSource): readonly TransitionSource[] {
  const needsLines = consumes !== undefined || moves !== undefined || settles?.some(({ lines, when }) => lines !== undefined && when === undefined) === true
  const standing = [
    ...(needsLines ? ['hasLines'] : []), ...(settles === undefined ? [] : ['settlesWhatIsOpen']), ...(consumes === undefined ? [] : ['consumesWhatIsOpen']), ...(moves === undefined ? [] : ['goodsAreThere']), ...(adjusts === undefined ? [] : ['adjustsWithinTaken']),
    ...(books?.events === undefined ? [] : ['periodNotClosed']),
  ]
  const standard = approval === undefined ? [] : standardTransitions(approval, standing)
  const written = new Map(transitions.map((transition) => [transition.action, transition]))
  const replaced = standard.map((transition) => written.get(transition.action) ?? transition)
  return [...replaced, ...transitions.filter(({ action }) => !standard.some((transition) => transition.action === action))]
}

function standardTransitions({ checks = [], then, holds, cuts, reversal }: DocumentApprovalSource, standing: readonly string[]): readonly TransitionSource[] {
  return [
    ...(then === undefined ? [] : deciding([...standing, ...checks], then, holds, cuts)),
    ...(reversal?.then === undefined ? [] : reversing(reversal.from ?? [1], reversal.checks ?? [], reversal.then)),
  ]
}

function deciding(preconditions: readonly string[], effects: readonly string[], holds: DocumentApprovalSource['holds'], cuts: DocumentApprovalSource['cuts']): readonly TransitionSource[] {
  const take = holds === undefined ? [] : [holds.take]
  const give = holds === undefined ? {} : { effects: [holds.give] }
  const asked: Pick<TransitionSource, 'params'> = cuts === undefined ? {} : { params: { quantities: { type: 'json', each: cuts } } }
  return [
    { action: 'submit', from: [0], to: 4, preconditions: [...preconditions], effects: [...take, 'requestApproval'], tone: 'positive' },
    { action: 'approve', from: [4], to: 1, system: true, effects: [...effects], ...asked, tone: 'positive' },
    { action: 'reject', from: [4], to: 5, system: true, ...give, reason: 'required', reasonUsage: 'REJECT', tone: 'negative' },
    { action: 'return', from: [4], to: 0, system: true, ...give, reason: 'optional', tone: 'warning' },
    { action: 'recall', from: [4], to: 0, effects: ['withdrawApproval', ...(holds === undefined ? [] : [holds.give])] },
    { action: 'reopen', from: [5], to: 0 },
  ]
}

function reversing(from: number[], preconditions: readonly string[], effects: readonly string[]): readonly TransitionSource[] {
  const to = from[0] ?? 1
  return [
    { action: 'request-reversal', from, to, preconditions: [...preconditions], effects: ['requestReversal'], reason: 'required', reasonUsage: 'REVERSAL', confirm: true, tone: 'negative' },
    { action: 'reverse', from, to: 7, system: true, effects: [...effects] },
  ]
}
