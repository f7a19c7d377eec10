import type { Finding } from '#meta/check/finding.ts'
import type { DatasetTime, Dimension, Field, Measure, ReportScreen } from '#meta/resolved.ts'

/**
 * Reports composed by analysts. All but the trial need the permission `studio-create`; nobody ever sends SQL, a draft names things of datasets.
 *
 * GET    /api/v1/studio/dataset                what the user may compose of, and the reports he may start from
 * GET    /api/v1/studio/report/{screen}        the file of a report he may open
 * POST   /api/v1/studio/check                  what `npm run check` says of a report, and the screen it would be
 * POST   /api/v1/studio/preview                at most 50 rows or groups of it, in the user's scope
 * GET    /api/v1/studio/draft                  own drafts, those shared with him, own proposals
 * POST   /api/v1/studio/draft                  keep a draft (Idempotency-Key)
 * GET    /api/v1/studio/draft/{id}             PUT (If-Match), DELETE (If-Match)
 * GET    /api/v1/studio/draft/{id}/people      whom it may be shared with: `search`
 * PUT    /api/v1/studio/draft/{id}/readers     who may try it (If-Match)
 * GET    /api/v1/studio/draft/{id}/publication what publishing it would be called, as a first suggestion
 * POST   /api/v1/studio/draft/{id}/proposal    proposes it: the files as a patch
 * GET    /api/v1/studio/proposal               all proposals, for reviewers (`studio-approve`)
 * GET    /api/v1/studio/proposal/{id}/patch    the patch, for `git apply`
 * POST   /api/v1/studio/proposal/{id}/withdraw
 * GET    /api/v1/studio/trial/{id}             a draft shared with the user
 * POST   /api/v1/studio/trial/{id}/answer      its rows or groups, in his own scope
 */

/** Rows and groups a preview or trial shows at most. */
export const mostPreviewed = 50
/** Longest a preview may work, in milliseconds. */
export const previewMs = 10_000
/** A draft is shared with so many at most. */
export const mostReaders = 30
export const longestName = 80
export const longestNote = 1_000

export type StudioMeasure = Pick<Measure, 'name' | 'label' | 'type' | 'additive' | 'isColumn' | 'agg'>

/** A dataset in business words; labels are message keys. */
export interface StudioDataset {
  readonly ID: string
  readonly Label: string
  /** Message key: what one row is. */
  readonly Grain: string
  /** Does it know an earlier period to compare with? */
  readonly HasPeriod: boolean
  /** Its parameters that are days. */
  readonly Time: DatasetTime
  readonly Parameters: readonly (Pick<Field, 'name' | 'label' | 'type'> & { readonly required: boolean })[]
  readonly Dimensions: readonly (Pick<Dimension, 'name' | 'label' | 'type' | 'describes'>)[]
  readonly Measures: readonly StudioMeasure[]
  /** Old name → new: drafts that name the old one follow. */
  readonly Renamed: Readonly<Record<string, string>>
  /** Parameters of a new report, with days to begin with. */
  readonly Presets: readonly unknown[]
}

export interface StudioReport {
  readonly Screen: string
  /** Message key. */
  readonly Title: string
  readonly Dataset: string
}

export interface StudioMaterial {
  readonly datasets: readonly StudioDataset[]
  readonly reports: readonly StudioReport[]
}

export interface StudioCheck {
  readonly findings: readonly Finding[]
  /** Absent while there are errors. */
  readonly screen?: ReportScreen
}

/** How a report is asked: as its own endpoints take it. */
export interface StudioQuestion {
  readonly IsSummary: boolean
  readonly Query: Readonly<Record<string, string | number>>
}

export interface StudioDraft {
  readonly ID: number
  readonly Version: number
  readonly Name: string
  readonly Source: string
  readonly UpdatedAt: string
  readonly Readers: readonly StudioPerson[]
}

export interface StudioPerson {
  readonly ID: number
  readonly Name: string
  readonly RoleName: string
}

/** Somebody else's draft, to be tried. */
export interface SharedDraft {
  readonly ID: number
  readonly Name: string
  readonly OwnerName: string
  readonly UpdatedAt: string
}

export interface StudioTrial extends SharedDraft {
  /** Absent while the draft has errors. */
  readonly screen?: ReportScreen
}

export const proposalStates = ['PROPOSED', 'WITHDRAWN', 'PUBLISHED'] as const
export type ProposalState = (typeof proposalStates)[number]

export interface StudioProposal {
  readonly ID: number
  /** The draft it was made of; null once that is thrown away. */
  readonly DraftID: number | null
  readonly Title: string
  readonly Screen: string
  readonly Path: string
  readonly Note: string
  readonly OwnerName: string
  readonly IsOwn: boolean
  readonly CreatedAt: string
  /** Published: the running program has said what it says. */
  readonly State: ProposalState
  readonly Files: readonly string[]
}

/** A text in the three languages. */
export interface StudioTexts {
  readonly en: string
  readonly cn: string
  readonly id: string
}

export const tileTypes = ['chart', 'list', 'kpi'] as const
export type TileType = (typeof tileTypes)[number]

/** What of the report stands on a dashboard, leading to it. */
export interface StudioTile {
  /** Id of the dashboard. */
  readonly Dashboard: string
  readonly Type: TileType
  readonly Measure: string
  /** Key of a group of the report (`brand_name`, `bill_date:month`); a single figure has none. */
  readonly By: string
  readonly Title: StudioTexts
}

export interface StudioPublication {
  /** Folder below `schemas/`. */
  readonly Area: string
  readonly Path: string
  /** Menu group. */
  readonly Group: string
  readonly Title: StudioTexts
  readonly Sentence: StudioTexts
  /** The report gets a permission of its own beside that of its dataset. */
  readonly HasOwnPermission: boolean
  readonly Note: string
  /** A tile on a dashboard, by the same proposal. */
  readonly Tile?: StudioTile
}

/** What a tile of the report may show, and one to begin with. */
export interface TileOffer {
  readonly record: StudioTile
  readonly dashboards: readonly { readonly id: string; readonly label: string }[]
  readonly measures: readonly { readonly name: string; readonly label: string }[]
  readonly groups: readonly { readonly key: string; readonly label: string; readonly grain?: string }[]
}

export interface PublicationOffer {
  readonly record: StudioPublication
  readonly areas: readonly string[]
  /** Absent: the report has no measure that a tile could show. */
  readonly tile?: TileOffer
  readonly groups: readonly { readonly name: string; readonly label: string }[]
  /** The report is published already: its file and texts change, its place stays. */
  readonly isChange?: true
}
