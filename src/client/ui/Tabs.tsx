import { useEffect, useId, useRef, type KeyboardEvent, type ReactNode } from 'react'
import css from './Tabs.module.css'

export interface Tab {
  readonly id: string
  readonly title: string
  readonly count?: string | number | undefined
}

interface TabsProps {
  readonly tabs: readonly Tab[]
  readonly current: string
  readonly onSelect: (id: string) => void
  readonly label: string
  /** Content of the current tab. */
  readonly children?: ReactNode
}

/** Arrow keys move between tabs, as screen readers expect. */
export function Tabs({ tabs, current, onSelect, label, children }: TabsProps) {
  const group = useId()
  const strip = useRef<HTMLDivElement>(null)
  const tabId = (id: string) => `${group}-${id}`
  useEffect(() => {
    // On a phone the strip scrolls: the current tab is to be seen. Measured when the page is about to be laid out anyway.
    const frame = requestAnimationFrame(() => {
      const chosen = strip.current?.querySelector<HTMLElement>('[aria-selected="true"]')
      const { current: box } = strip
      if (chosen == null || box === null || box.scrollWidth <= box.clientWidth) return
      box.scrollLeft = chosen.offsetLeft - (box.clientWidth - chosen.offsetWidth) / 2
    })
    return () => cancelAnimationFrame(frame)
  }, [current])
  const move = (event: KeyboardEvent<HTMLElement>) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    const at = tabs.findIndex((tab) => tab.id === current)
    const next = tabs[(at + step + tabs.length) % tabs.length]
    if (next === undefined) return
    onSelect(next.id)
    document.getElementById(tabId(next.id))?.focus()
  }
  return (
    <>
      <div ref={strip} role="tablist" aria-label={label} tabIndex={-1} className={css['tabs']} onKeyDown={move}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            id={tabId(tab.id)}
            type="button"
            role="tab"
            aria-selected={tab.id === current}
            aria-controls={children === undefined ? undefined : tabId('panel')}
            tabIndex={tab.id === current ? 0 : -1}
            className={css['tab']}
            onClick={() => onSelect(tab.id)}
          >
            {tab.title}
            {tab.count !== undefined && <span className={css['count']}>{tab.count}</span>}
          </button>
        ))}
      </div>
      {children !== undefined && (
        <div role="tabpanel" id={tabId('panel')} aria-labelledby={tabId(current)} className={css['panel']}>
          {children}
        </div>
      )}
    </>
  )
}
