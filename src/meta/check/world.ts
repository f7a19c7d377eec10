import type { Report } from '#meta/check/finding.ts'
import type { LocatedFile } from '#meta/check/locate.ts'
import type { Uses } from '#meta/check/collector.ts'
import type { MetaSchema } from '#meta/check/shape.ts'
import type { Resolved } from '#meta/resolve.ts'
import type { ScreenKind } from '#meta/resolved.ts'
import type { Source, Sources } from '#meta/sources.ts'

/** Everything an inspection may look at. */
export interface World {
  readonly files: ReadonlyMap<string, LocatedFile>
  readonly sources: Sources
  /** What the sources name, listed once. */
  readonly uses: Uses
  readonly resolved: Resolved
  readonly metaSchemas: Readonly<Record<string, MetaSchema>>
  /** Every path the specification names, in order. */
  readonly specificationPaths: readonly string[]
  readonly catalogues: Readonly<Record<'en' | 'cn' | 'id', Readonly<Record<string, string>>>>
  /** Message keys the code itself shows, found in its text; one that ends in a dot stands for all that begin so. */
  readonly keysInCode: ReadonlySet<string>
  /** Names that code registers, by the type of the registry (`EffectName`); a registry that is not there is not asked. */
  readonly implemented: Readonly<Record<string, ReadonlySet<string>>>
  readonly slotBudget: number
}

export type Inspection = (world: World) => Iterable<Report>

/** Every screen file, whatever its kind. */
export function screenFiles(sources: Sources): readonly Source<{ readonly id: string; readonly kind: ScreenKind }>[] {
  return [...sources.list, ...sources.form, ...sources.detail, ...sources.approval, ...sources.report, ...sources.workbench, ...sources.dashboard, ...sources.import]
}
