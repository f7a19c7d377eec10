import type {
  ApprovalSource, BankfileSource, DashboardSource, DatasetSource, DetailSource, EntitySource, FormSource, FragmentSource, ImportSource, ListSource, MenuSource, PayfileSource, PostingSource, ReportSource,
  RoutesSource, WorkbenchSource, WorkflowSource,
} from '#generated/language.ts'

/** One file of `schemas/`, parsed. `path` is relative to the repository. */
export interface Source<T> {
  readonly path: string
  readonly value: T
}

/** The files by kind, as the analyst wrote them. */
export interface Sources {
  readonly entity: readonly Source<EntitySource>[]
  readonly workflow: readonly Source<WorkflowSource>[]
  readonly posting: readonly Source<PostingSource>[]
  readonly list: readonly Source<ListSource>[]
  readonly form: readonly Source<FormSource>[]
  readonly detail: readonly Source<DetailSource>[]
  readonly approval: readonly Source<ApprovalSource>[]
  readonly workbench: readonly Source<WorkbenchSource>[]
  readonly dashboard: readonly Source<DashboardSource>[]
  readonly import: readonly Source<ImportSource>[]
  readonly dataset: readonly Source<DatasetSource>[]
  readonly report: readonly Source<ReportSource>[]
  readonly bankfile: readonly Source<BankfileSource>[]
  readonly payfile: readonly Source<PayfileSource>[]
  readonly fragment: readonly Source<FragmentSource>[]
  readonly routes: RoutesSource
  readonly menu: MenuSource
  /** Text of `<noun>.dataset.sql` by the path of the dataset file beside it. */
  readonly sql: Readonly<Record<string, string>>
  /** The English catalogue decides between particular and general keys. */
  readonly messages: Readonly<Record<string, string>>
}

export const screenKinds = ['list', 'form', 'detail', 'approval', 'report', 'workbench', 'dashboard', 'import'] as const
export const fileKinds = ['entity', 'workflow', 'posting', ...screenKinds, 'dataset', 'bankfile', 'payfile', 'fragment'] as const
export type FileKind = (typeof fileKinds)[number]

/** A name in a schema file that leads nowhere; `at` is the path of keys inside the file. */
export class SourceError extends Error {
  readonly at: readonly (string | number)[]

  constructor(message: string, at: readonly (string | number)[] = []) {
    super(message)
    this.at = at
  }
}
