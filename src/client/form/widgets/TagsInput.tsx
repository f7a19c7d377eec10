import { useEffect, useRef, useState } from 'react'
import { t } from '../../app/messages.ts'
import { Icon } from '../../ui/Icon.tsx'
import { classes } from '../../ui/classes.ts'
import css from './widgets.module.css'
import type { WidgetProps } from './WidgetInput.tsx'

/** Several free texts: Enter or a comma takes one, Backspace in the empty box takes the last away, pasted lines become several. */
export function TagsInput({ id, field, value, readOnly, invalid, describedBy, onChange, holdBack }: WidgetProps) {
  const [text, setText] = useState('')
  const tags = Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []
  const take = (typed: string) => {
    const wanted = typed.split(/[,;，；、\n\r\t]/).map((one) => one.trim()).filter((one) => one !== '')
    setText('')
    if (wanted.length > 0) onChange([...new Set([...tags, ...wanted])])
  }
  const flush = useRef(() => {})
  useEffect(() => {
    flush.current = () => take(text)
  })
  useEffect(() => holdBack(() => flush.current()), [holdBack])
  return (
    <div className={classes(css['tags'], readOnly && css['closed'], invalid && css['wrong'])}>
      {tags.map((tag) => (
        <span key={tag} className={css['tag']}>
          {tag}
          {!readOnly && (
            <button type="button" aria-label={t('ui.tags.remove', { text: tag })} onClick={() => onChange(tags.filter((one) => one !== tag))}>
              <Icon name="close" size={12} />
            </button>
          )}
        </span>
      ))}
      <input
        id={id}
        type="text"
        autoComplete="off"
        value={text}
        readOnly={readOnly}
        placeholder={tags.length === 0 && !readOnly ? t('ui.tags.add') : undefined}
        aria-describedby={describedBy}
        aria-label={tags.length === 0 ? undefined : `${t(field.label)}: ${tags.join(', ')}`}
        onChange={(event) => (/[,;，；、\n\t]/.test(event.target.value) ? take(event.target.value) : setText(event.target.value))}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && text.trim() !== '') {
            event.preventDefault()
            take(text)
          } else if (event.key === 'Backspace' && text === '' && tags.length > 0) onChange(tags.slice(0, -1))
        }}
        onBlur={() => take(text)}
      />
    </div>
  )
}
