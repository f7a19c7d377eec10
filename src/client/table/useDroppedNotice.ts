import { useEffect, useRef } from 'react'
import type { SavedView } from '#api/view.ts'
import type { Field } from '#meta/resolved.ts'
import { t, tFirst, untilSpoken } from '../app/messages.ts'
import { notify } from '../app/toasts.ts'

interface Opened {
  readonly view: SavedView | undefined
  readonly dropped: readonly string[]
}

/** A view or address that does not fit the screen: says once what was left out, be it the whole view. `wanted`: the view the address names. */
export function useDroppedNotice({ view, dropped }: Opened, wanted: string | null, fields: readonly Field[]): void {
  const named = [...new Set(dropped.map((name) => fields.find((field) => field.name === name)?.label ?? name))].join('\n')
  useEffect(() => {
    if (named === '') return
    const say = (): void => {
      // A field that has gone may still have its word.
      const names = named.split('\n').map((name) => tFirst([name, `field.${name}`], name)).join(', ')
      void notify({ tone: 'warning', title: t('ui.view.left-out'), text: t('ui.view.dropped', { names }), lasts: 8000 })
    }
    untilSpoken().then(say, () => undefined)
  }, [named])
  // One deleted while it is shown is no news.
  const shown = useRef<string>(undefined)
  if (view !== undefined) shown.current = String(view.ID)
  const isGone = wanted !== null && wanted !== 'standard' && String(view?.ID) !== wanted && shown.current !== wanted
  useEffect(() => {
    if (isGone) void notify({ tone: 'warning', text: t('ui.view.gone'), lasts: 8000 })
  }, [isGone])
}
