import { compared } from '#base/unseen.ts'
import { useState } from 'react'
import type { Field } from '#meta/resolved.ts'
import { t } from '../app/messages.ts'
import input from '../ui/input.module.css'
import css from './FieldMenu.module.css'

/** From so many fields on one looks for a name instead of reading them all. */
const searchFrom = 8

/** Fields to choose from, with a search where there are many. */
export function FieldMenu({ fields, onChoose }: { readonly fields: readonly Field[]; readonly onChoose: (field: Field) => void }) {
  const [words, setWords] = useState('')
  const found = fields.filter((field) => compared(t(field.label)).includes(compared(words)))
  return (
    <div className={css['menu']}>
      {fields.length >= searchFrom && (
        <input
          type="search"
          className={input['input']}
          aria-label={t('ui.filter.search-field')}
          placeholder={t('ui.filter.search-field')}
          value={words}
          // oxlint-disable-next-line jsx-a11y/no-autofocus -- the menu was opened to type into
          autoFocus
          onChange={(event) => setWords(event.target.value)}
          onKeyDown={(event) => {
            const [first] = found
            if (event.key !== 'Enter' || first === undefined) return
            // The focus goes back to what opened the menu: the key must not press that.
            event.preventDefault()
            onChoose(first)
          }}
        />
      )}
      <ul className={css['fields']}>
        {found.map((field) => (
          <li key={field.name}>
            <button type="button" onClick={() => onChoose(field)}>
              {t(field.label)}
            </button>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className={css['none']}>{t('ui.nothing-found')}</p>}
    </div>
  )
}
