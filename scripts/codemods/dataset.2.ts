import type { JsonEdit } from './jsonEdit.ts'

/**
 * Version 2 of datasets: each measure says in `adds` whether it may be added up. `additive` could only say yes or no, and was silent where nobody
 * had thought of it: what said nothing was added up, and still is.
 */
export function dataset2(file: JsonEdit): void {
  for (const name of file.keys(['measures'])) {
    const at = ['measures', name]
    const has = (key: string): boolean => file.keys(at).includes(key)
    if (has('adds')) continue
    if (has('additive')) {
      file.set([...at, 'additive'], file.value([...at, 'additive']) === false ? 'never' : 'always')
      file.rename([...at, 'additive'], 'adds')
      if (file.value([...at, 'agg']) === 'sum') file.remove([...at, 'agg'])
    } else if (file.value([...at, 'agg']) === 'sum') {
      file.set([...at, 'agg'], 'always')
      file.rename([...at, 'agg'], 'adds')
    } else if (!has('agg') && !has('ratio')) file.add(at, 'adds', 'always', 'type')
  }
}
