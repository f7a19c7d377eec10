import type { Metadata } from '#meta/metadata.ts'
import { decidedAction } from '#meta/screenUse.ts'

/** Path of the screen that shows the queue of a document type and action; undefined: there is none. */
export function approvalPage(metadata: Metadata, docType: string, transition: string): string | undefined {
  const screen = Object.values(metadata.screens).find(
    (candidate) => candidate.kind === 'approval' && candidate.docType === docType && decidedAction(candidate.transition) === transition,
  )
  return screen === undefined ? undefined : metadata.routes.find((route) => route.screen === screen.id)?.path
}
