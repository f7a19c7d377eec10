import { compared } from '#base/unseen.ts'
import { useEffect, useMemo, useState } from 'react'
import { accept } from '#base/result.ts'
import { referenceNames } from '#base/wireName.ts'
import { t, tFirst } from '../../app/messages.ts'
import { listRecords } from '../../data/records.ts'
import { classes } from '../../ui/classes.ts'
import input from '../../ui/input.module.css'
import { ErrorState, Skeleton } from '../../ui/States.tsx'
import { columnsOf, groupsOf, inColumns, isAnyBelowOn, type TickItem } from './ticks.ts'
import { flat, matching, treeOf, type TreeNode } from './tree.ts'
import css from './ticks.module.css'
import { useListPart } from './useListPart.ts'
import type { Field, FormTicks } from '#meta/resolved.ts'
import type { WireRecord } from '#api/envelope.ts'
import type { Answer } from '../../data/http.ts'
import type { FormSession } from '../formSession.ts'

interface TicksPartProps {
  readonly session: FormSession
  readonly name: string
  readonly ticks: FormTicks
  readonly readOnly: boolean
}

/** Which records of another entity belong to this one, as ticks. What is ticked is saved with the record. */
export function TicksPart({ session, name, ticks, readOnly }: TicksPartProps) {
  const [found, setFound] = useState<Answer<readonly TickItem[]> | undefined>()
  const [tries, setTries] = useState(0)
  const [search, setSearch] = useState('')
  const { held, toggle } = useListPart(session, name, ticks.wire, (record) => keysIn(record?.[ticks.wire]), isKey)
  useEffect(() => {
    const abort = new AbortController()
    void readItems(ticks, abort.signal).then((answer) => {
      if (!abort.signal.aborted) setFound(answer)
    })
    return () => abort.abort()
  }, [ticks, tries])
  const items = found?.ok === true ? found.value : undefined
  const tree = useMemo(() => (ticks.parent === undefined ? [] : treeOf(items ?? [], (item) => item.id, (item) => item.parent)), [ticks, items])
  const again = () => {
    setFound(undefined)
    setTries(tries + 1)
  }
  if (found?.ok === false) return <ErrorState title={t('ui.load-failed')} text={found.problem.text} onRetry={again} />
  if (items === undefined || held === undefined) return <Skeleton lines={8} />
  const columns = columnsOf(items)
  const wanted = compared(search)
  const matches = (item: TickItem) => compared(`${item.group} ${item.text} ${item.code}`).includes(wanted)
  return (
    <div className={css['part']}>
      <div className={css['bar']}>
        <input className={input['input']} type="search" aria-label={t('ui.search')} placeholder={t('ui.search')} value={search} onChange={(event) => setSearch(event.target.value)} />
        <span className={css['count']}>{t('ui.ticks.count', { count: held.size, all: items.length })}</span>
      </div>
      {ticks.look === 'matrix' && <Matrix items={items.filter(matches)} columns={columns} held={held} toggle={toggle} readOnly={readOnly} heading={ticks.group?.label} />}
      {ticks.look === 'groups' && <Groups items={items.filter(matches)} held={held} toggle={toggle} readOnly={readOnly} />}
      {ticks.look === 'tree' && (
        <ul className={css['tree']}>
          {(wanted === '' ? tree : matching(tree, matches)).map((node) => (
            <Branch key={node.item.id} node={node} ancestors={[]} held={held} toggle={toggle} readOnly={readOnly} />
          ))}
        </ul>
      )}
    </div>
  )
}

interface Ticking {
  readonly held: ReadonlySet<string | number>
  readonly toggle: (keys: readonly (string | number)[], on: boolean) => void
  readonly readOnly: boolean
}

function Matrix({ items, columns, held, toggle, readOnly, heading }: Ticking & { readonly items: readonly TickItem[]; readonly columns: readonly string[]; readonly heading: string | undefined }) {
  return (
    <div className={css['scroll']}>
      <table className={css['table']}>
        <thead>
          <tr>
            <th scope="col">{heading === undefined ? '' : t(heading)}</th>
            <th scope="col">{t('ui.ticks.ticked')}</th>
          </tr>
        </thead>
        <tbody>
          {groupsOf(items).map(({ group, items: members }) => (
            <tr key={group}>
              <th scope="row">
                <AllTick title={group} keys={members.map(({ key }) => key)} held={held} toggle={toggle} readOnly={readOnly} />
              </th>
              <td>
                <div className={css['ticks']}>
                  {inColumns(members, columns).map((item, i) =>
                    item === undefined ? (
                      <span key={columns[i]} className={css['hole']} />
                    ) : (
                      <label key={item.key} className={classes(css['check'], held.has(item.key) && css['on'])} title={item.code}>
                        <Tick checked={held.has(item.key)} disabled={readOnly} onChange={(on) => toggle([item.key], on)} />
                        {item.text}
                      </label>
                    ),
                  )}
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function Groups({ items, held, toggle, readOnly }: Ticking & { readonly items: readonly TickItem[] }) {
  return (
    <div className={css['groups']}>
      {groupsOf(items).map(({ group, items: members }) => (
        <fieldset key={group} className={css['group']}>
          <legend>
            <AllTick title={group === '' ? t('ui.nothing') : group} keys={members.map(({ key }) => key)} held={held} toggle={toggle} readOnly={readOnly} />
          </legend>
          {members.map((item) => (
            <label key={item.key} className={css['check']}>
              <Tick checked={held.has(item.key)} disabled={readOnly} onChange={(on) => toggle([item.key], on)} />
              {item.code === item.text ? item.text : `${item.code} ${item.text}`}
            </label>
          ))}
        </fieldset>
      ))}
    </div>
  )
}

/** A node stands for all below it; a parent is ticked as long as anything under it is. */
function Branch({ node, ancestors, held, toggle, readOnly }: Ticking & { readonly node: TreeNode<TickItem>; readonly ancestors: readonly TreeNode<TickItem>[] }) {
  const below = flat(node.children).map(({ key }) => key)
  const count = below.filter((key) => held.has(key)).length
  const all = below.length === 0 ? held.has(node.item.key) : count === below.length
  const change = (on: boolean) => {
    toggle([node.item.key, ...below], on)
    const changed = new Set([node.item.key, ...below])
    for (const up of ancestors.toReversed()) toggle([up.item.key], isAnyBelowOn(up, changed, on, held))
  }
  return (
    <li>
      <label className={css['check']}>
        <Tick checked={all} partly={count > 0 && !all} disabled={readOnly} onChange={change} />
        <span className={css['name']}>
          {node.children.length > 0 ? <strong>{node.item.text}</strong> : node.item.text} {node.item.code !== node.item.text && <span className={css['code']}>{node.item.code}</span>}
        </span>
      </label>
      {node.children.length > 0 && (
        <ul>
          {node.children.map((child) => (
            <Branch key={child.item.id} node={child} ancestors={[...ancestors, node]} held={held} toggle={toggle} readOnly={readOnly} />
          ))}
        </ul>
      )}
    </li>
  )
}

function AllTick({ title, keys, held, toggle, readOnly }: Ticking & { readonly title: string; readonly keys: readonly (string | number)[] }) {
  const count = keys.filter((key) => held.has(key)).length
  return (
    <label className={css['check']}>
      <Tick checked={count === keys.length} partly={count > 0 && count < keys.length} disabled={readOnly} onChange={(on) => toggle(keys, on)} />
      {title}
    </label>
  )
}

interface TickProps {
  readonly checked: boolean
  readonly partly?: boolean
  readonly disabled: boolean
  readonly onChange: (on: boolean) => void
}

/** A tick that can also say "some of them". */
function Tick({ checked, partly = false, disabled, onChange }: TickProps) {
  return (
    <input
      ref={(box) => {
        if (box !== null) box.indeterminate = partly
      }}
      type="checkbox"
      className={input['check']}
      checked={checked}
      disabled={disabled}
      onChange={(event) => onChange(event.target.checked)}
    />
  )
}

async function readItems({ entity, resource, value, label, code, group, parent, sort, where }: FormTicks, signal: AbortSignal): Promise<Answer<readonly TickItem[]>> {
  const columns = [...new Set([value, label, code, group, parent].flatMap((field) => (field === undefined || field.name === 'id' ? [] : [field.name])))]
  const answer = await listRecords(
    resource,
    { columns: columns.join(','), length: 5000, count: false, order: sort, sort: 'asc', ...(where === undefined ? {} : { filter: JSON.stringify(where) }) },
    signal,
    true,
  )
  if (!answer.ok) return answer
  const items = answer.value.rows.flatMap((row): readonly TickItem[] => {
    const key = value.name === 'id' ? row.ID : row[value.wire]
    if (!isKey(key)) return []
    const of = groupText(row, group)
    return [{ id: row.ID, key, code: String(row[code.wire] ?? ''), text: inWords(entity, String(row[label.wire] ?? ''), of.raw), group: of.text, parent: parent === undefined ? null : (row[parent.wire] ?? null) }]
  })
  return accept(items)
}

function groupText(row: WireRecord, group: Field | undefined): { readonly raw: string; readonly text: string } {
  if (group === undefined) return { raw: '', text: '' }
  const raw = String((group.type === 'ref' ? row[referenceNames(group.name).name] : row[group.wire]) ?? '')
  if (group.type === 'ref') return { raw, text: raw }
  const words = raw.replaceAll('-', ' ')
  return { raw, text: tFirst([`entity.${raw.replaceAll('-', '_')}`, `screen.${raw}.list`], words.charAt(0).toUpperCase() + words.slice(1)) }
}

/** `sales-order-approve` in the group `sales-order` is "Approve"; a menu entry has a text of its own. */
function inWords(entity: string, text: string, group: string): string {
  const rest = group !== '' && text.startsWith(`${group}-`) ? text.slice(group.length + 1) : text
  return tFirst([`${entity}.${text}`, `action.${rest}`], rest)
}

function keysIn(value: unknown): readonly (string | number)[] {
  return Array.isArray(value) ? value.filter(isKey) : []
}

function isKey(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}
