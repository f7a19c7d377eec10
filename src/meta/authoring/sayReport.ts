import type { Field, ReportScreen } from '#meta/resolved.ts'

/** Text of a message key with `{name}` filled in. */
export type Say = (key: string, values?: Readonly<Record<string, string>>) => string

/** What the report shows, in one sentence: its measures, by what, over which days. For a report whose author has not said it himself. */
export function sayReport({ columns, measures, parameters, time = {} }: Pick<ReportScreen, 'columns' | 'measures' | 'parameters' | 'time'>, say: Say): string {
  const named = (fields: readonly Field[]): string => fields.slice(0, 4).map(({ label }) => say(label)).join(', ') + (fields.length > 4 ? ' …' : '')
  const subject = measures.length > 0 ? named(measures) : named(columns)
  const wireOf = (name: string | undefined): string | undefined => parameters.find((parameter) => parameter.name === name)?.wire
  const [from, to, day] = [wireOf(time.from), wireOf(time.to), wireOf(time.as_of)]
  if (from !== undefined && to !== undefined) return say('ui.studio.says.period', { subject, from: `{${from}}`, to: `{${to}}` })
  if (day !== undefined) return say('ui.studio.says.day', { subject, day: `{${day}}` })
  return say('ui.studio.says.plain', { subject })
}
