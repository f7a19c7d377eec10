import { useEffect, useState, useSyncExternalStore } from 'react'
import { t } from '../app/messages.ts'
import { connection, onConnection } from '../data/connection.ts'
import { Icon } from '../ui/Icon.tsx'
import css from './ConnectionNotice.module.css'

/** Says that the server is out of reach, by what the browser knows and by what calls have met; and what that means for one's work. */
export function ConnectionNotice() {
  const state = useSyncExternalStore(onConnection, connection)
  const isOnline = useSyncExternalStore(onNetwork, () => navigator.onLine)
  const isAway = state !== 'fine' || !isOnline
  const wasAway = useWas(isAway)
  const text = state === 'lost' ? t('ui.connection.lost') : isAway ? t('ui.connection.away') : wasAway ? t('ui.connection.back') : ''
  return (
    <div className={state === 'lost' ? css['lost'] : css['place']} role="status">
      {text !== '' && (
        <p className={isAway ? css['away'] : css['back']}>
          <Icon name={isAway ? 'warning' : 'check'} size={16} />
          {text}
        </p>
      )}
    </div>
  )
}

const goodNewsMs = 3_000

/** Was it so until a moment ago? */
function useWas(now: boolean): boolean {
  const [was, setWas] = useState(now)
  useEffect(() => {
    if (now) {
      setWas(true)
      return undefined
    }
    const timer = setTimeout(() => setWas(false), goodNewsMs)
    return () => clearTimeout(timer)
  }, [now])
  return was
}

function onNetwork(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}
