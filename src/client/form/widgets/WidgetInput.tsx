import { t } from '../../app/messages.ts'
import { saidTime } from '../../app/saidTime.ts'
import { TextEntry } from '../TextEntry.tsx'
import { ChoiceInput } from './ChoiceInput.tsx'
import { FileInput } from './FileInput.tsx'
import { ManyInput } from './ManyInput.tsx'
import { MomentInput } from './MomentInput.tsx'
import { MonthInput } from './MonthInput.tsx'
import { RecordInput } from './RecordInput.tsx'
import { TagsInput } from './TagsInput.tsx'
import { TreeInput } from './TreeInput.tsx'
import css from './widgets.module.css'
import type { FormField } from '#meta/resolved.ts'
import type { HoldBack } from '../heldBack.ts'
import type { Message } from '../message.ts'

export interface WidgetProps {
  readonly id: string
  readonly field: FormField
  readonly value: unknown
  readonly readOnly: boolean
  readonly required: boolean
  readonly invalid: boolean
  readonly describedBy: string | undefined
  readonly onChange: (value: unknown) => void
  readonly onUnread: (message: Message | undefined, text?: string) => void
  /** Text that stands in it and is no value, from a draft. */
  readonly start?: string | undefined
  readonly holdBack: HoldBack
}

/** The rarer ways to enter a value; loaded when a form has one. */
export function WidgetInput(props: WidgetProps) {
  const { field, value, readOnly } = props
  if (field.file !== undefined) return <FileInput {...props} field={{ ...field, file: field.file }} />
  switch (field.widget) {
    case 'radio':
    case 'cards':
      return <ChoiceInput {...props} />
    case 'switch':
      return <SwitchInput {...props} />
    case 'tree':
      return <TreeInput {...props} />
    case 'record':
      return <RecordInput {...props} />
    case 'choices':
      return <ManyInput {...props} />
    case 'tags':
      return <TagsInput {...props} />
    case 'month':
      return <MonthInput {...props} />
    default:
  }
  if (field.type === 'period') return <MonthInput {...props} />
  if (field.type === 'textlist') return field.choices === undefined ? <TagsInput {...props} /> : <ManyInput {...props} />
  return readOnly ? <TextEntry id={props.id} value={saidTime(value)} readOnly onChange={() => undefined} /> : <MomentInput {...props} />
}

/** On or off, at once. */
function SwitchInput({ id, value, readOnly, invalid, describedBy, onChange }: WidgetProps) {
  return (
    <span className={css['switch']}>
      <input
        id={id}
        type="checkbox"
        role="switch"
        aria-checked={value === true}
        checked={value === true}
        disabled={readOnly}
        aria-invalid={invalid || undefined}
        aria-describedby={describedBy}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span aria-hidden="true">{t(value === true ? 'ui.yes' : 'ui.no')}</span>
    </span>
  )
}
