import type { AnchorHTMLAttributes, MouseEvent } from 'react'
import { useHistory } from './historyContext.ts'
import { preload, preloadSoon } from './preload.ts'

interface LinkProps extends AnchorHTMLAttributes<HTMLAnchorElement> {
  readonly to: string
}

/**
 * A link inside the application; starts loading its page when the pointer comes near. Paths are absolute, so that a link needs not know
 * where it stands: hundreds of them cost nothing when the address changes.
 */
export function Link({ to, children, onClick, ...rest }: LinkProps) {
  const history = useHistory()
  const start = () => preload(to)
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    history.push(to)
  }
  return (
    <a {...rest} href={to} onClick={follow} onPointerEnter={() => preloadSoon(to)} onFocus={start} onPointerDown={start}>
      {children}
    </a>
  )
}
