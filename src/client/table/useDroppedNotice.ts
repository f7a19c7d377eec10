import { useEffect } from 'react'
import { t } from '../app/messages.ts'
import { notify } from '../app/toasts.ts'

/** A view or address older than the screen: says once what is no longer there. */
export function useDroppedNotice(dropped: readonly string[]): void {
  const names = dropped.join(', ')
  useEffect(() => {
    if (names === '') return
    void notify({ tone: 'warning', title: t('ui.view.changed'), text: t('ui.view.dropped', { names }), lasts: 8000 })
  }, [names])
}
