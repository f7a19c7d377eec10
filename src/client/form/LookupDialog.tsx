import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { lookups } from '#generated/lookups.ts'
import { referenceNames, wireName } from '#base/wireName.ts'
import { t, tFirst } from '../app/messages.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { Skeleton } from '../ui/States.tsx'
import input from '../ui/input.module.css'
import css from './LookupDialog.module.css'
import { codeOf, nameOf, searchOptions, type LookupSource, type Option } from './lookupClient.ts'

interface LookupDialogProps {
  readonly title: string
  readonly source: LookupSource
  readonly blocked: string | undefined
  readonly start: string
  readonly onChoose: (option: Option) => void
  readonly onClose: () => void
}

const delay = 250
const noColumns: readonly string[] = []
const length = 100

/** Search window of a lookup: a table of what is found, Enter or a click chooses. */
export function LookupDialog({ title, source, blocked, start, onChoose, onClose }: LookupDialogProps) {
  const id = useId()
  const [search, setSearch] = useState(start)
  const [found, setFound] = useState<readonly Option[] | undefined>()
  const [isRefused, setIsRefused] = useState(false)
  const [answered, setAnswered] = useState<string>()
  // Enter pressed before the answer to what was typed has come: the one record it finds is meant.
  const isEntered = useRef(false)
  const [active, setActive] = useState(0)
  const extra = lookups[source.entity]?.columns ?? noColumns
  const columns = [...new Set([...source.columns, ...extra])].join(',')

  const latest = useRef(onChoose)
  useEffect(() => {
    latest.current = onChoose
  })
  useEffect(() => {
    if (blocked !== undefined) return undefined
    const abort = new AbortController()
    const timer = window.setTimeout(async () => {
      const options = await searchOptions({ ...source, columns: columns === '' ? [] : columns.split(',') }, search.trim(), abort.signal, length)
      if (abort.signal.aborted) return
      const [only] = options ?? []
      if (isEntered.current && options?.length === 1 && only !== undefined) return latest.current(only)
      isEntered.current = false
      setFound(options ?? [])
      setIsRefused(options === undefined)
      setAnswered(search)
      setActive(0)
    }, delay)
    return () => {
      abort.abort()
      window.clearTimeout(timer)
    }
  }, [search, source, columns, blocked])

  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0 && found !== undefined && found.length > 0) {
      event.preventDefault()
      setActive((active + step + found.length) % found.length)
    }
    const option = found?.[active]
    if (event.key !== 'Enter') return
    event.preventDefault()
    if (answered !== search) isEntered.current = true
    else if (option !== undefined) onChoose(option)
  }
  useEffect(() => {
    document.getElementById(`${id}-${active}`)?.scrollIntoView({ block: 'nearest' })
  }, [active, id])

  return (
    <Dialog title={title} shape="wide" onClose={onClose}>
      <div className={css['frame']}>
        <input
          className={input['input']}
          type="search"
          autoFocus
          aria-label={t('ui.search')}
          placeholder={t('ui.search')}
          aria-controls={`${id}-table`}
          value={search}
          onChange={(event) => {
            isEntered.current = false
            setSearch(event.target.value)
          }}
          onKeyDown={onKeyDown}
        />
        {blocked !== undefined ? (
          <p>{t('ui.lookup.blocked', { field: blocked })}</p>
        ) : found === undefined ? (
          <Skeleton lines={6} />
        ) : found.length === 0 ? (
          <p role="status">{t(isRefused ? 'ui.lookup.unanswered' : 'ui.lookup.none')}</p>
        ) : (
          <div className={css['scroll']}>
            <table id={`${id}-table`} className={css['table']}>
              <thead>
                <tr>
                  <th scope="col">{t('field.code')}</th>
                  <th scope="col">{t('field.name')}</th>
                  {extra.map((column) => (
                    <th key={column} scope="col">
                      {tFirst([`field.${source.entity}.${column}`, `field.${column}`], column)}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {found.map((option, i) => (
                  <tr key={option.ID} id={`${id}-${i}`} className={i === active ? css['active'] : undefined} onClick={() => onChoose(option)}>
                    <td>
                      <button type="button" className={css['choose']} tabIndex={-1}>
                        {codeOf(option)}
                      </button>
                    </td>
                    <td>{nameOf(option)}</td>
                    {extra.map((column) => (
                      <td key={column}>{shown(option, column)}</td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        )}
        {found !== undefined && found.length === length && <p className={css['more']}>{t('ui.lookup.more', { count: length })}</p>}
      </div>
    </Dialog>
  )
}

function shown(option: Option, column: string): string {
  const value = column.endsWith('_id') ? (option[referenceNames(column).name] ?? option[referenceNames(column).code]) : option[wireName(column)]
  const text = typeof value === 'string' || typeof value === 'number' ? String(value) : ''
  return tFirst([`enum.${text}`], text)
}
