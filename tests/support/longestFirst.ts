import path from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Files that take longest, the longest first. */
const long = [
  'schemas/mistakes', 'schemas/served', 'server/accessMatrix', 'server/import/restart', 'server/durability', 'server/hostile', 'server/singleSignOn', 'server/import/priceLists', 'server/openapi',
  'flows/randomCommands', 'server/embedded', 'server/hostileCalls', 'seed/demo', 'seed/grants', 'server/hostileForms', 'server/profile',
]

/** The order wanted where there may be no time for all of them, if it matters: what is nearest to a change first. */
const wanted = process.env['TEST_ORDER']?.split(',')

const folder = path.resolve(import.meta.dirname, '..')

/** Long files first: begun last, one of them would keep one processor busy while the other has nothing to do. The rest as Vitest orders it: by what an earlier run took, else by size. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const projects = [...new Set(sorted.map(({ project }) => project.name))]
    const rank = ({ moduleId }: TestSpecification): number => {
      const name = path.relative(folder, moduleId).replaceAll('\\', '/')
      const at = wanted === undefined ? long.indexOf(name.replace(/\.test\.tsx?$/, '')) : wanted.indexOf(`tests/${name}`)
      return at < 0 ? (wanted ?? long).length : at
    }
    return projects.flatMap((name) => sorted.filter(({ project }) => project.name === name).sort((a, b) => rank(a) - rank(b)))
  }
}
