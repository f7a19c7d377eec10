import type { ComponentProps } from 'react'
import { Link as RouterLink } from 'react-router-dom'
import { preload } from './preload.ts'

interface LinkProps extends Omit<ComponentProps<typeof RouterLink>, 'to'> {
  readonly to: string
}

/** A link that starts loading its page when the pointer comes near. */
export function Link({ to, children, ...rest }: LinkProps) {
  const start = () => preload(to)
  return (
    <RouterLink {...rest} to={to} onPointerEnter={start} onFocus={start} onPointerDown={start}>
      {children}
    </RouterLink>
  )
}
