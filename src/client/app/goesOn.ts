import { useState } from 'react'
import { NavigationType, useLocation, useNavigationType, type Location } from 'react-router-dom'

/** State of an address under which a page goes on as it stands: the new record on it has become one that has an address. */
export const goingOn = { goesOn: true }

export function isGoingOn({ state }: Pick<Location, 'state'>): boolean {
  return typeof state === 'object' && state !== null && 'goesOn' in state
}

/** A key for what is drawn at a place: another one at each place, unless the page goes on there. Coming back to such an address later is coming to a place. */
export function usePlaceKey(place: string): number {
  const goesOn = isGoingOn(useLocation())
  const isReplaced = useNavigationType() === NavigationType.Replace
  const [shown, setShown] = useState({ place, key: 0 })
  if (shown.place === place) return shown.key
  const next = { place, key: goesOn && isReplaced ? shown.key : shown.key + 1 }
  setShown(next)
  return next.key
}
