import { addMonths } from '#base/date.ts'
import { today } from '../app/format.ts'
import { sessionAtom, store } from '../data/session.ts'
import type { Default, ReportScreen } from '#meta/resolved.ts'

/** Value of each parameter as text, from the query or its preset; '' where there is none. */
export function readParameters(screen: ReportScreen, query: URLSearchParams): Readonly<Record<string, string>> {
  return Object.fromEntries(screen.parameters.map((parameter) => [parameter.name, query.get(parameter.name) ?? presetText(parameter.defaultValue ?? parameter.default)]))
}

/** A parameter in the query; what equals its preset is left out. Page 1 again. */
export function writeParameter(screen: ReportScreen, query: URLSearchParams, name: string, value: string): URLSearchParams {
  const next = new URLSearchParams(query)
  const parameter = screen.parameters.find((one) => one.name === name)
  if (value === presetText(parameter?.defaultValue ?? parameter?.default)) next.delete(name)
  else next.set(name, value)
  next.delete('p')
  return next
}

/** Required parameters that have no value yet. */
export function missingParameters(screen: ReportScreen, values: Readonly<Record<string, string>>): readonly ReportScreen['parameters'][number][] {
  return screen.parameters.filter((parameter) => parameter.required && values[parameter.name] === '')
}

function presetText(preset: Default | undefined): string {
  if (preset === undefined) return ''
  if (typeof preset !== 'object') return String(preset)
  if ('now' in preset) return preset.now === 'date' ? today() : addMonths(today(), -1)
  if (!('user' in preset)) return ''
  const user = store.get(sessionAtom)?.user
  const known: Readonly<Record<string, unknown>> = { operating_unit_id: user?.operating_unit_id, territory_id: user?.territory_id, id: user?.user_id }
  const value = known[preset.user]
  return value === undefined || value === null ? '' : String(value)
}
