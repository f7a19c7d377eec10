import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { t } from '../../app/messages.ts'
import { useFormShared } from '../FormContext.ts'
import { Lookup } from '../Lookup.tsx'
import { codeOf, nameOf, resolveOptions, type LookupSource } from '../lookupClient.ts'
import { TextEntry } from '../TextEntry.tsx'
import type { WidgetProps } from './WidgetInput.tsx'

/** A text that is the code of a record: which records are offered, another field of the form says. Where it says none the text is typed. */
export function RecordInput(props: WidgetProps) {
  const { field, value } = props
  const { session } = useFormShared()
  const { store } = session
  const entity = useSyncExternalStore(store.onChange, () => field.records?.of[String(store.values[field.records.by])])
  const code = typeof value === 'string' ? value : ''
  if (entity === undefined) return <TextEntry {...props} value={code} />
  return <CodeInput key={entity} {...props} entity={entity} code={code} />
}

function CodeInput({ id, field, readOnly, required, invalid, describedBy, entity, code, onChange, onUnread, holdBack, start }: WidgetProps & { readonly entity: string; readonly code: string }) {
  const { userId } = useFormShared()
  const source = useMemo<LookupSource>(() => ({ entity, filter: undefined, columns: [] }), [entity])
  const [known, setKnown] = useState({ code: '', name: '' })
  useEffect(() => {
    if (code === '' || code === known.code) return undefined
    let isGone = false
    void resolveOptions(source, [code]).then((found) => {
      const [option] = found ?? []
      if (!isGone && option !== undefined && option !== null) setKnown({ code, name: nameOf(option) })
    })
    return () => {
      isGone = true
    }
  }, [source, code, known.code])
  return (
    <Lookup
      id={id}
      label={t(field.label)}
      source={source}
      userId={userId}
      code={code}
      name={known.code === code ? known.name : ''}
      required={required}
      readOnly={readOnly}
      invalid={invalid}
      describedBy={describedBy}
      onChoose={(option) => {
        if (option !== null) setKnown({ code: codeOf(option), name: nameOf(option) })
        onChange(option === null ? null : codeOf(option))
      }}
      onUnread={onUnread}
      holdBack={holdBack}
      start={start}
    />
  )
}
