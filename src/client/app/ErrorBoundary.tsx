import { Component, type ReactNode } from 'react'
import { ErrorState } from '../ui/States.tsx'
import { t } from './messages.ts'

interface State {
  readonly error?: unknown
}

/** Something broke while a page was drawn: say so, offer another try. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, State> {
  override state: State = {}

  static getDerivedStateFromError(error: unknown): State {
    return { error }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === undefined) return this.props.children
    return <ErrorState title={t('ui.page-failed')} text={error instanceof Error ? error.message : String(error)} onRetry={() => location.reload()} />
  }
}
