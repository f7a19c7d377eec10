import { useEffect, useState } from 'react'

let isDown = false
const waiting = new Set<() => void>()

const press = (): void => {
  isDown = true
}

/** The click comes right after the release, and belongs to what was pressed. */
const release = (): void =>
  void setTimeout(() => {
    isDown = false
    for (const show of waiting) show()
  })

if (typeof window !== 'undefined') {
  window.addEventListener('pointerdown', press, true)
  window.addEventListener('pointerup', release, true)
  window.addEventListener('pointercancel', release, true)
}

/**
 * The value as it was when the pointer was pressed, until it is released: whoever leaves a field by pressing a button must not see that button
 * move away because a message comes or goes, for then the click is lost. `value` keeps its identity while it is the same.
 */
export function useAtRest<T>(value: T): T {
  const [shown, setShown] = useState(value)
  const isLate = shown !== value
  if (isLate && !isDown) setShown(value)
  useEffect(() => {
    if (!isLate) return undefined
    const show = () => setShown(value)
    // Released between drawing and now.
    if (!isDown) return show()
    waiting.add(show)
    return () => void waiting.delete(show)
  }, [isLate, value])
  return shown
}
