import { formatTime } from './format.ts'
import { zoneNote } from './saidTime.ts'

export interface MomentProps {
  /** ISO text. */
  readonly at: string
  readonly className?: string | undefined
}

/** A moment, and whose clock it is told by where this computer's clock shows another time. */
export function Moment({ at, className }: MomentProps) {
  return (
    <time className={className} dateTime={at} title={zoneNote(at)}>
      {formatTime(at)}
    </time>
  )
}
