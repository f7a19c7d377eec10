import { Button } from '../ui/Button.tsx'
import { ErrorState } from '../ui/States.tsx'
import { ChunkError } from './chunks.ts'
import css from './ChunkFailure.module.css'
import { t } from './messages.ts'

interface ChunkFailureProps {
  readonly error: unknown
  readonly onRetry: () => void
  /** For what lies over the page (a dialog): closes it. */
  readonly onClose?: (() => void) | undefined
}

/** A part of the program did not arrive: try again, or load the new version where that is why. What was typed is kept. */
export function ChunkFailure({ error, onRetry, onClose }: ChunkFailureProps) {
  const trouble = error instanceof ChunkError ? error.trouble : 'failed'
  return (
    <div className={onClose === undefined ? undefined : css['floating']}>
      <ErrorState title={t(`ui.chunk.${trouble}.title`)} text={t(`ui.chunk.${trouble}.text`)}>
        {trouble !== 'stale' && (
          <Button icon="refresh" onClick={onRetry}>
            {t('ui.retry')}
          </Button>
        )}
        <Button look={trouble === 'stale' ? 'primary' : 'default'} onClick={() => location.reload()}>
          {t(trouble === 'stale' ? 'ui.chunk.update' : 'ui.chunk.reload')}
        </Button>
        {onClose !== undefined && <Button onClick={onClose}>{t('ui.close')}</Button>}
      </ErrorState>
    </div>
  )
}
