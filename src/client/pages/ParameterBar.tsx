import { useAtomValue } from 'jotai'
import { useEffect, useId, useState } from 'react'
import type { FieldProblem } from '#api/problems.ts'
import { wireName } from '#base/wireName.ts'
import type { Field as MetaField, ReportParameter, ReportScreen } from '#meta/resolved.ts'
import { formatDate } from '../app/format.ts'
import { t } from '../app/messages.ts'
import { lookupRecords } from '../data/records.ts'
import { sessionAtom } from '../data/session.ts'
import { ParamInput } from '../table/ParamInput.tsx'
import { describedBy, Field } from '../ui/Field.tsx'
import css from './ReportPage.module.css'

interface ParameterBarProps {
  readonly parameters: ReportScreen['parameters']
  readonly values: Readonly<Record<string, string>>
  readonly problems: readonly FieldProblem[]
  readonly onChange: (name: string, value: string) => void
  /** What a chosen record is called, for the sentence. */
  readonly onName: (name: string, text: string) => void
}

/** What the report is worked out for: the day, the customer, the basis. */
export function ParameterBar({ parameters, values, problems, onChange, onName }: ParameterBarProps) {
  if (parameters.length === 0) return null
  return (
    <div className={css['parameters']} role="group" aria-label={t('ui.report.parameters')}>
      {parameters.filter((parameter) => isAsked(parameter, values)).map((parameter) => (
        <Parameter
          key={parameter.name}
          parameter={parameter}
          value={values[parameter.name] ?? ''}
          problems={problems.filter((problem) => problem.field === parameter.name).map((problem) => problem.text)}
          onChange={(value) => onChange(parameter.name, value)}
          onName={(text) => onName(parameter.name, text)}
        />
      ))}
    </div>
  )
}

/** What would change nothing is not asked for. */
function isAsked({ with: others = {} }: ReportParameter, values: Readonly<Record<string, string>>): boolean {
  return Object.entries(others).every(([name, texts]) => texts.includes(values[name] ?? ''))
}

interface ParameterProps {
  readonly parameter: MetaField
  readonly value: string
  readonly problems: readonly string[]
  readonly onChange: (value: string) => void
  readonly onName: (text: string) => void
}

function Parameter({ parameter, value, problems, onChange, onName }: ParameterProps) {
  const id = useId()
  const userId = useAtomValue(sessionAtom)?.user.user_id ?? 0
  const [unread, setUnread] = useState<string>()
  const { entity } = parameter

  useEffect(() => {
    if (entity === undefined || value === '') return undefined
    const stop = new AbortController()
    void lookupRecords(entity, { ids: value, length: 1 }, stop.signal).then((answer) => {
      const record = answer.ok ? answer.value.records[0] : undefined
      if (record !== undefined) onName(String(record['Name'] ?? record['Code'] ?? record.ID))
    })
    return () => stop.abort()
    // oxlint-disable-next-line react/exhaustive-deps -- the name is asked for once per value
  }, [entity, value])

  const texts = [...(unread === undefined ? [] : [unread]), ...problems]
  return (
    <Field id={id} label={t(parameter.label)} required={parameter.required} errors={texts}>
      <ParamInput
        field={parameter}
        id={id}
        value={parameter.type === 'boolean' ? value === 'true' : parameter.type === 'ref' && value !== '' ? Number(value) : value}
        userId={userId}
        invalid={texts.length > 0}
        describedBy={texts.length > 0 ? describedBy(id) : undefined}
        onUnread={setUnread}
        onChange={(next) => onChange(next === null || next === undefined ? '' : String(next))}
      />
    </Field>
  )
}

/** The report's sentence with its parameters in words. */
export function sayParameters(screen: ReportScreen, values: Readonly<Record<string, string>>, names: Readonly<Record<string, string>>): string {
  const words = screen.parameters.map((parameter): [string, string] => [parameter.name, wordOf(parameter, values[parameter.name] ?? '', names[parameter.name])])
  // Texts may name a parameter as the column or as the wire key.
  const byAnyName = words.flatMap(([name, word]) => [[name, word], [wireName(name), word], [name.charAt(0).toUpperCase() + name.slice(1), word]])
  const sentence = screen.said?.sentences[screen.said.by.map((parameter) => values[parameter] ?? '').join('.')] ?? screen.sentence
  return t(sentence, Object.fromEntries(byAnyName) as Readonly<Record<string, string>>)
}

function wordOf(parameter: MetaField, value: string, name: string | undefined): string {
  if (parameter.type === 'date') return value === '' ? t(parameter.name.endsWith('_from') ? 'ui.report.said.beginning' : 'ui.report.said.end') : formatDate(value)
  if (value === '') return t('ui.all')
  if (parameter.type === 'boolean') return t(value === 'true' ? 'ui.yes' : 'ui.no')
  const choice = parameter.choices?.find((one) => String(one.value) === value)
  return choice === undefined ? (name ?? value) : t(choice.label)
}
