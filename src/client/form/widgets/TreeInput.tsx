import { compared } from '#base/unseen.ts'
import { useEffect, useMemo, useState, useSyncExternalStore, type KeyboardEvent } from 'react'
import { lookups } from '#generated/lookups.ts'
import { referenceNames, wireName } from '#base/wireName.ts'
import { t } from '../../app/messages.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { Skeleton } from '../../ui/States.tsx'
import { classes } from '../../ui/classes.ts'
import input from '../../ui/input.module.css'
import dateCss from '../DateInput.module.css'
import { useFormShared } from '../FormContext.ts'
import { missingLabel } from '../FieldInput.tsx'
import { allFields, boundFilter } from '../formModel.ts'
import { fillColumns, fillValues } from '../fills.ts'
import { codeOf, labelOf, nameOf, searchOptions, type Option } from '../lookupClient.ts'
import { flat, matching, treeOf, type TreeNode } from './tree.ts'
import css from './widgets.module.css'
import type { FormField } from '#meta/resolved.ts'
import type { WidgetProps } from './WidgetInput.tsx'

/** Choosing a record where it stands under its parents. */
export function TreeInput({ id, field, readOnly, required, invalid, describedBy }: WidgetProps) {
  const { session } = useFormShared()
  const { store } = session
  /** What its search begins with while it is open. */
  const [open, setOpen] = useState<string>()
  const names = referenceNames(field.name)
  const values = useSyncExternalStore(store.onChange, () => store.values)
  const label = labelOf(textOf(values[names.code]), textOf(values[names.name]))
  const choose = (option: Option | null) => {
    setOpen(undefined)
    store.set({
      [field.wire]: option?.ID ?? null,
      [names.code]: option === null ? null : codeOf(option),
      [names.name]: option === null ? null : nameOf(option),
      ...(option === null ? {} : fillValues(field.fills ?? {}, option)),
    })
  }
  return (
    <div className={dateCss['date']}>
      <input
        id={id}
        type="text"
        role="combobox"
        aria-haspopup="dialog"
        aria-expanded={open !== undefined}
        aria-controls={`${id}-tree`}
        className={classes(input['input'], dateCss['box'], !readOnly && css['opens'])}
        readOnly={readOnly}
        aria-required={required || undefined}
        aria-invalid={invalid || undefined}
        aria-describedby={describedBy}
        value={label}
        onChange={() => undefined}
        onClick={() => {
          if (!readOnly) setOpen('')
        }}
        onKeyDown={(event) => {
          if (readOnly) return
          if (event.key === 'Enter' || event.key === 'ArrowDown' || event.key === 'F4' || event.key === ' ') {
            event.preventDefault()
            setOpen('')
          } else if ((event.key === 'Delete' || event.key === 'Backspace') && !required) choose(null)
          else if (event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) {
            event.preventDefault()
            setOpen(event.key)
          }
        }}
      />
      {!readOnly && (
        <button type="button" tabIndex={-1} className={dateCss['button']} aria-label={t('ui.lookup.search', { field: t(field.label) })} onClick={() => setOpen('')}>
          <Icon name="down" size={16} />
        </button>
      )}
      {open !== undefined && <TreeDialog id={`${id}-tree`} field={field} start={open} current={values[field.wire]} onChoose={choose} onClose={() => setOpen(undefined)} />}
    </div>
  )
}

interface TreeDialogProps {
  readonly id: string
  readonly field: FormField
  readonly start: string
  readonly current: unknown
  readonly onChoose: (option: Option) => void
  readonly onClose: () => void
}

function TreeDialog({ id, field, start, current, onChoose, onClose }: TreeDialogProps) {
  const { session } = useFormShared()
  const { store } = session
  /** Undefined: on its way; null: nobody answered. */
  const [all, setAll] = useState<readonly Option[] | null | undefined>()
  const [search, setSearch] = useState(start)
  const parent = lookups[field.entity ?? '']?.tree ?? 'parent_id'
  const filter = useMemo(() => (field.lookupWhere === undefined ? undefined : boundFilter(field.lookupWhere, store.values, store.around)), [field, store])
  // A restriction that lacks a value of another field offers nothing rather than everything.
  const blocked = field.lookupWhere !== undefined && filter === undefined ? missingLabel(field, allFields(session.screen)) : undefined
  useEffect(() => {
    if (blocked !== undefined) return undefined
    const abort = new AbortController()
    void searchOptions({ entity: field.entity ?? '', filter, columns: [parent, ...fillColumns(field.fills)] }, '', abort.signal, 1000).then((found) => {
      if (!abort.signal.aborted) setAll(found ?? null)
    })
    return () => abort.abort()
  }, [field, filter, blocked, parent])
  const nodes = useMemo(() => treeOf(all ?? [], (option) => option.ID, (option) => option[wireName(parent)] ?? null), [all, parent])
  const wanted = compared(search)
  const matches = (option: Option) => compared(`${codeOf(option)} ${nameOf(option)}`).includes(wanted)
  const shown = wanted === '' ? nodes : matching(nodes, matches)
  const order = flat(shown)
  const [active, setActive] = useState<unknown>(current)
  const at = order.findIndex((option) => option.ID === active)
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0 && order.length > 0) {
      event.preventDefault()
      setActive(order[(at + step + order.length) % order.length]?.ID)
    }
    const option = order[at] ?? (wanted === '' ? undefined : order.find(matches))
    if (event.key === 'Enter' && option !== undefined) {
      event.preventDefault()
      onChoose(option)
    }
  }
  useEffect(() => {
    // Newer browsers answer with a promise, which is no clean-up.
    document.getElementById(`${id}-${String(active)}`)?.scrollIntoView({ block: 'nearest' })
  }, [active, id, all])
  return (
    <Dialog title={t('ui.lookup.search', { field: t(field.label) })} shape="box" onClose={onClose}>
      <div className={css['treeFrame']}>
        <input className={input['input']} type="search" autoFocus aria-label={t('ui.search')} placeholder={t('ui.search')} value={search} onChange={(event) => setSearch(event.target.value)} onKeyDown={onKeyDown} />
        {blocked !== undefined ? (
          <p role="status">{t('ui.lookup.blocked', { field: blocked })}</p>
        ) : all === undefined ? (
          <Skeleton lines={6} />
        ) : order.length === 0 ? (
          <p role="status">{t(all === null ? 'ui.lookup.unanswered' : 'ui.lookup.none')}</p>
        ) : (
          <ul id={id} role="tree" aria-label={t(field.label)} className={css['tree']}>
            {shown.map((node) => (
              <Branch key={node.item.ID} id={id} node={node} active={active} current={current} onChoose={onChoose} />
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  )
}

interface BranchProps {
  readonly id: string
  readonly node: TreeNode<Option>
  readonly active: unknown
  readonly current: unknown
  readonly onChoose: (option: Option) => void
}

function Branch({ id, node, active, current, onChoose }: BranchProps) {
  const { item, children } = node
  return (
    <li id={`${id}-${item.ID}`} role="treeitem" aria-selected={item.ID === current} aria-expanded={children.length === 0 ? undefined : true}>
      <button type="button" tabIndex={-1} className={classes(css['node'], item.ID === active && css['active'], item.ID === current && css['chosen'])} onClick={() => onChoose(item)}>
        <span className={css['code']}>{codeOf(item)}</span> {nameOf(item) === codeOf(item) ? '' : nameOf(item)}
      </button>
      {children.length > 0 && (
        <ul role="group">
          {children.map((child) => (
            <Branch key={child.item.ID} id={id} node={child} active={active} current={current} onChoose={onChoose} />
          ))}
        </ul>
      )}
    </li>
  )
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}
