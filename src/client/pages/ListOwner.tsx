import { useEffect, useState } from 'react'
import type { ListScreen } from '#meta/resolved.ts'
import { usePageName } from '../app/pageName.ts'
import { labelOf } from '../data/around.ts'
import { lookupRecords } from '../data/records.ts'

interface ListOwnerProps {
  readonly screen: ListScreen
  readonly params: Readonly<Record<string, string>>
}

/** The record whose rows a list shows (the item of the units), as its page is called; nothing while it is not known, or may not be. */
export function ListOwner({ screen, params }: ListOwnerProps) {
  const { entity, id } = ownerOf(screen, params) ?? {}
  const [found, setFound] = useState<{ readonly of: string; readonly name: string }>()
  useEffect(() => {
    if (entity === undefined || id === undefined) return undefined
    const asking = new AbortController()
    void lookupRecords(entity, { ids: id, length: 1 }, asking.signal).then((answer) => {
      const record = answer.ok ? answer.value.records[0] : undefined
      if (record !== undefined) setFound({ of: id, name: labelOf(record) })
    })
    return () => asking.abort()
  }, [entity, id])
  const name = found?.of === id ? found?.name : undefined
  usePageName(name)
  return name === undefined ? null : ` ${name}`
}

/** What the path names: the reference among the columns that the list is always narrowed by. */
export function ownerOf({ where, columns }: ListScreen, params: Readonly<Record<string, string>>): { readonly entity: string; readonly id: string } | undefined {
  for (const { name, entity } of columns) {
    const test: unknown = where === undefined ? undefined : Reflect.get(where, name)
    const id = typeof test === 'object' && test !== null && 'param' in test ? params[String(test.param)] : undefined
    if (entity !== undefined && id !== undefined) return { entity, id }
  }
  return undefined
}
