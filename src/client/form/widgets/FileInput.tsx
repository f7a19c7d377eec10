import { useEffect, useRef } from 'react'
import { referenceNames } from '#base/wireName.ts'
import type { FileRule } from '#meta/resolved.ts'
import { t } from '../../app/messages.ts'
import { useFormShared } from '../FormContext.ts'
import { FileBox } from './FileBox.tsx'
import type { WidgetProps } from './WidgetInput.tsx'

/** A file as the value of a field. */
export function FileInput({ field, value, ...rest }: WidgetProps & { readonly field: WidgetProps['field'] & { readonly file: FileRule } }) {
  const { session } = useFormShared()
  const { store } = session
  const names = referenceNames(field.name)
  const coming = useRef<Promise<unknown>>(undefined)
  const { holdBack } = rest
  useEffect(() => holdBack(() => coming.current), [holdBack])
  return (
    <FileBox
      id={rest.id}
      label={t(field.label)}
      resource={session.screen.resource}
      field={field.name}
      rule={field.file}
      file={typeof value === 'number' ? { key: textOf(store.values[names.code]), name: textOf(store.values[names.name]) } : undefined}
      readOnly={rest.readOnly}
      invalid={rest.invalid}
      describedBy={rest.describedBy}
      onPut={(file) => store.set({ [field.wire]: file?.ID ?? null, [names.code]: file?.Key ?? null, [names.name]: file?.Name ?? null })}
      onUnread={rest.onUnread}
      onSending={(over) => {
        coming.current = over.finally(() => (coming.current = undefined))
      }}
    />
  )
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
