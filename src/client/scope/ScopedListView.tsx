import { useMemo, type ComponentProps } from 'react'
import type { ListScreen } from '#meta/resolved.ts'
import { ListView } from '../pages/ListView.tsx'
import { useScope } from './useScope.tsx'

/** A list that shows only what is chosen in the bar above it: everything else of the list takes it for part of the screen. */
export function ScopedListView(props: ComponentProps<typeof ListView>) {
  const { screen } = props
  const scope = useScope(screen.scoped ?? [])
  const { condition } = scope
  const narrowed = useMemo((): ListScreen => {
    if (condition === undefined) return screen
    return { ...screen, where: screen.where === undefined ? condition : { all: [screen.where, condition] } }
  }, [screen, condition])
  return <ListView {...props} screen={narrowed} scope={scope} />
}
