import { useEffect } from 'react'
import { nameNow } from '#meta/renames.ts'
import type { ReportScreen } from '#meta/resolved.ts'
import { t } from '../app/messages.ts'
import { notify } from '../app/toasts.ts'

/** A view or address kept under names that are others now: says once how they are called, and that nothing is lost. */
export function useMovedNotice({ renamed, columns, measures, groups, parameters }: ReportScreen, old: readonly string[]): void {
  const said = old.map((name) => {
    const now = nameNow(renamed, name)
    const found = [...columns, ...measures, ...groups, ...parameters].find((field) => field.name === now)
    return `${name} → ${found === undefined ? now : t(found.label)}`
  }).join(', ')
  useEffect(() => {
    if (said === '') return
    void notify({ tone: 'info', title: t('ui.view.changed'), text: t('ui.view.moved', { names: said }), lasts: 8000 })
  }, [said])
}
