import { useAtomValue } from 'jotai'
import { formatDate } from '../app/format.ts'
import { languageAtom, t } from '../app/messages.ts'
import { readLegal } from '../data/account.ts'
import { useAnswer } from '../data/useAnswer.ts'
import { ErrorState, Skeleton } from '../ui/States.tsx'
import { LegalBody } from './LegalBody.tsx'
import { ReadingFrame } from './ReadingFrame.tsx'

export function TermsPage() {
  return <LegalPage kind="terms" />
}

export function PrivacyPage() {
  return <LegalPage kind="privacy" />
}

function LegalPage({ kind }: { readonly kind: 'terms' | 'privacy' }) {
  const language = useAtomValue(languageAtom)
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
    <ReadingFrame title={value.title} about={t('ui.legal.version', { version: value.version, date: formatDate(value.effective_from) })}>
      <LegalBody text={value.body} />
    </ReadingFrame>
  )
}
