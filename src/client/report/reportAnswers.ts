import { createContext } from 'react'
import type { ReportAnswer, SummaryAnswer } from '#api/report.ts'
import type { Answer } from '../data/http.ts'

type Query = Readonly<Record<string, string | number>>

/** Who answers a report that has no endpoints of its own: a draft in the studio, a trial. */
export interface ReportAnswers {
  /** Changes with what is asked: the same question is then asked anew. */
  readonly revision: string
  readonly rows: (query: Query, signal: AbortSignal) => Promise<Answer<ReportAnswer>>
  readonly summary: (query: Query, signal: AbortSignal) => Promise<Answer<SummaryAnswer>>
  /** Rows or groups it answers with at most. */
  readonly most: number
}

/** Undefined: the report is published, and the server's endpoints of its name answer. */
export const ReportAnswersContext = createContext<ReportAnswers | undefined>(undefined)
