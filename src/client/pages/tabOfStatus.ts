import type { DetailScreen } from '#meta/resolved.ts'

/**
 * The tab a path selects by the status in it: of what is settled, in part or whole, where it went; of what is over, how it came to that; of all
 * else the first, its lines. `status`: a number as a list writes it into the path, or a tab by its own name.
 */
export function tabOfStatus({ tabs }: Pick<DetailScreen, 'tabs'>, status: string | undefined): string | undefined {
  if (status === undefined) return undefined
  const kind = ['2', '3'].includes(status) ? 'flow' : ['6', '7'].includes(status) ? 'history' : undefined
  return tabs.find((tab) => tab.id === status || tab.kind === kind)?.id
}

/** The same page of another record: the path with its id in the place of this one's. */
export function pathOfRecord(template: string, params: Readonly<Record<string, string>>, id: number): string {
  const own = template.includes('{id}') ? 'id' : (/\{([^}]+)\}/.exec(template)?.[1] ?? 'id')
  return template.replaceAll(/\{([^}]+)\}/g, (whole, name: string) => (name === own ? String(id) : (params[name] ?? whole)))
}
