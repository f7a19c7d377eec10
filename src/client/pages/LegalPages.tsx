import { useAtomValue } from 'jotai'
import { Suspense, useState } from 'react'
import { formatDate } from '../app/format.ts'
import { lazy } from '../app/lazy.tsx'
import { languageAtom, t } from '../app/messages.ts'
import { readLegal } from '../data/profile.ts'
import { sessionAtom } from '../data/session.ts'
import { useAnswer } from '../data/useAnswer.ts'
import { Button } from '../ui/Button.tsx'
import { ErrorState, Skeleton } from '../ui/States.tsx'
import { LegalBody } from './LegalBody.tsx'
import { ReadingFrame } from './ReadingFrame.tsx'

const PublishLegal = lazy(() => import('./PublishLegal.tsx').then((module) => ({ default: module.PublishLegal })))

export function TermsPage() {
  return <LegalPage kind="terms" />
}

export function PrivacyPage() {
  return <LegalPage kind="privacy" />
}

function LegalPage({ kind }: { readonly kind: 'terms' | 'privacy' }) {
  const language = useAtomValue(languageAtom)
  const mayPublish = useAtomValue(sessionAtom)?.guards.has('legal-text-create') === true
  const [isPublishing, setPublishing] = useState(false)
  const { value, problem, reload } = useAnswer(`${kind} ${language}`, (signal) => readLegal(kind, language, signal))
  if (problem !== undefined) {
    return (
      <ReadingFrame title={t(`ui.legal.${kind}`)}>
        <ErrorState title={t('ui.page-failed')} text={problem.text} onRetry={reload} />
      </ReadingFrame>
    )
  }
  if (value === undefined) {
    return (
      <ReadingFrame title={t(`ui.legal.${kind}`)}>
        <Skeleton lines={12} />
      </ReadingFrame>
    )
  }
  return (
    <ReadingFrame
      title={value.title}
      about={
        <>
          {t('ui.legal.version', { version: value.version, date: formatDate(value.effective_from) })}
          {mayPublish && (
            <Button icon="edit" onClick={() => setPublishing(true)}>
              {t(`ui.legal.publish.${kind}`)}
            </Button>
          )}
        </>
      }
    >
      <LegalBody text={value.body} />
      <Suspense>
        {isPublishing && (
          <PublishLegal
            kind={kind}
            onClose={() => setPublishing(false)}
            onPublished={() => {
              setPublishing(false)
              reload()
            }}
          />
        )}
      </Suspense>
    </ReadingFrame>
  )
}
