import { useContext, useState } from 'react'
import type { ReportAnswer, SummaryAnswer } from '#api/report.ts'
import { readSummary } from '../data/dashboards.ts'
import type { Answer } from '../data/http.ts'
import { readReport } from '../data/records.ts'
import { useAnswer } from '../data/useAnswer.ts'
import type { ReportLayout } from '../pages/reportState.ts'
import { ReportAnswersContext } from './reportAnswers.ts'

/** What is on screen: single rows, or groups and how they were asked for. */
export type Shown =
  | { readonly kind: 'rows'; readonly answer: ReportAnswer }
  | { readonly kind: 'summary'; readonly answer: SummaryAnswer; readonly layout: ReportLayout }

interface Question {
  readonly isSummary: boolean
  readonly query: Readonly<Record<string, string | number>>
}

/** The answer to a question; while the next one is under way the last answer stays on screen. Undefined: nothing is to be asked yet. */
export function useReport(screenId: string, question: Question | undefined, layout: ReportLayout) {
  const [last, setLast] = useState<{ readonly screenId: string; readonly value: Shown }>()
  const tried = useContext(ReportAnswersContext)
  const answer = useAnswer<Shown>(`${screenId} ${tried?.revision ?? ''} ${JSON.stringify(question)}`, async (signal) => {
    if (question === undefined) return new Promise<never>(() => undefined)
    const { isSummary, query } = question
    if (isSummary) return mapped(await (tried?.summary(query, signal) ?? readSummary(screenId, query, signal)), (value) => ({ kind: 'summary', answer: value, layout }))
    return mapped(await (tried?.rows(query, signal) ?? readReport(screenId, query, signal)), (value) => ({ kind: 'rows', answer: value }))
  })
  if (answer.value !== undefined && last?.value !== answer.value) setLast({ screenId, value: answer.value })
  return { shown: answer.value ?? (last?.screenId === screenId ? last.value : undefined), problem: answer.problem, isLoading: answer.isLoading, reload: answer.reload }
}

function mapped<T>(answer: Answer<T>, make: (value: T) => Shown): Answer<Shown> {
  return answer.ok ? { ...answer, value: make(answer.value) } : answer
}
