import type { ReportAnswer, SummaryAnswer } from '#api/report.ts'
import type { PublicationOffer, SharedDraft, StudioCheck, StudioDraft, StudioMaterial, StudioPerson, StudioProposal, StudioPublication, StudioQuestion, StudioTrial } from '#api/studio.ts'
import { newKey, send, type Answer } from '../data/http.ts'

const base = '/api/v1/studio'

type One<T> = Promise<Answer<{ readonly record: T }>>

export interface StudioWork {
  readonly records: readonly StudioDraft[]
  readonly shared: readonly SharedDraft[]
  readonly proposals: readonly StudioProposal[]
}

export function readMaterial(signal?: AbortSignal): Promise<Answer<StudioMaterial>> {
  return send({ path: `${base}/dataset`, signal })
}

export function readReportSource(screen: string): Promise<Answer<{ readonly Source: string }>> {
  return send({ path: `${base}/report/${screen}` })
}

export function checkSource(Source: string, signal: AbortSignal): Promise<Answer<StudioCheck>> {
  return send({ method: 'POST', path: `${base}/check`, body: { Source }, signal, isQuestion: true })
}

export function previewSource<T extends ReportAnswer | SummaryAnswer>(Source: string, question: StudioQuestion, signal: AbortSignal): Promise<Answer<T>> {
  return send({ method: 'POST', path: `${base}/preview`, body: { Source, ...question }, signal, isQuestion: true })
}

export function readWork(signal?: AbortSignal): Promise<Answer<StudioWork>> {
  return send({ path: `${base}/draft`, signal })
}

export function createDraft(Name: string, Source: string): One<StudioDraft> {
  return send({ method: 'POST', path: `${base}/draft`, body: { Name, Source }, key: newKey() })
}

export function readDraft(id: string, signal?: AbortSignal): One<StudioDraft> {
  return send({ path: `${base}/draft/${id}`, signal })
}

export function saveDraft({ ID, Version }: StudioDraft, change: { readonly Name?: string; readonly Source?: string }): One<StudioDraft> {
  return send({ method: 'PUT', path: `${base}/draft/${ID}`, body: change, version: Version, key: newKey() })
}

export function deleteDraft({ ID, Version }: StudioDraft): Promise<Answer<unknown>> {
  return send({ method: 'DELETE', path: `${base}/draft/${ID}`, version: Version, key: newKey() })
}

export function peopleFor({ ID }: StudioDraft, search: string, signal: AbortSignal): Promise<Answer<{ readonly records: readonly StudioPerson[] }>> {
  return send({ path: `${base}/draft/${ID}/people`, query: { search }, signal })
}

export function shareDraft({ ID, Version }: StudioDraft, UserIDs: readonly number[]): One<StudioDraft> {
  return send({ method: 'PUT', path: `${base}/draft/${ID}/readers`, body: { UserIDs }, version: Version, key: newKey() })
}

export function readPublication({ ID }: StudioDraft, signal?: AbortSignal): Promise<Answer<PublicationOffer>> {
  return send({ path: `${base}/draft/${ID}/publication`, signal })
}

export function proposeDraft({ ID, Version }: StudioDraft, body: StudioPublication): One<StudioProposal> {
  return send({ method: 'POST', path: `${base}/draft/${ID}/proposal`, body, version: Version, key: newKey() })
}

export function readProposals(signal?: AbortSignal): Promise<Answer<{ readonly records: readonly StudioProposal[] }>> {
  return send({ path: `${base}/proposal`, signal })
}

/** The call that brings the patch, for `downloadFile`. */
export function patchCall({ ID }: StudioProposal): { readonly path: string } {
  return { path: `${base}/proposal/${ID}/patch` }
}

export function withdrawProposal({ ID }: StudioProposal): One<StudioProposal> {
  return send({ method: 'POST', path: `${base}/proposal/${ID}/withdraw`, body: {}, key: newKey() })
}

export function readTrial(id: string, signal?: AbortSignal): One<StudioTrial> {
  return send({ path: `${base}/trial/${id}`, signal })
}

export function answerTrial<T extends ReportAnswer | SummaryAnswer>(id: string, question: StudioQuestion, signal: AbortSignal): Promise<Answer<T>> {
  return send({ method: 'POST', path: `${base}/trial/${id}/answer`, body: question, signal, isQuestion: true })
}
