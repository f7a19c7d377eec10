import type { MenuEntry } from '#api/session.ts'
import { classes } from '../ui/classes.ts'
import css from './Family.module.css'
import { Link } from './Link.tsx'
import { entryLabel } from './menuSearch.ts'
import { t } from './messages.ts'

interface FamilyProps {
  readonly family: readonly MenuEntry[]
  readonly current: string
}

/** Leads from one variant of a screen to the others: by kind and by scope where they have both, else by name. */
export function Family({ family, current }: FamilyProps) {
  const own = family.find(({ url }) => url === current)
  const kindOf = (entry: MenuEntry): string => entry.kind ?? entry.name
  const kinds = [...new Set(family.map(kindOf))]
  const scopes = own?.scope === undefined ? [] : family.filter((entry) => kindOf(entry) === own.kind)
  const inKind = (kind: string) => family.find((entry) => kindOf(entry) === kind && entry.scope === own?.scope) ?? family.find((entry) => kindOf(entry) === kind)
  return (
    <nav className={css['family']} aria-label={t('ui.variants')}>
      {kinds.length > 1 && (
        <ul>
          {kinds.map((kind) => (
            <Line key={kind} entry={inKind(kind)} label={entryLabel({ name: kind })} isCurrent={own !== undefined && kindOf(own) === kind} />
          ))}
        </ul>
      )}
      {scopes.length > 1 && (
        <ul className={css['scopes']}>
          {scopes.map((entry) => (
            <Line key={entry.url} entry={entry} label={entryLabel({ name: entry.scope ?? '' })} isCurrent={entry === own} />
          ))}
        </ul>
      )}
    </nav>
  )
}

function Line({ entry, label, isCurrent }: { readonly entry: MenuEntry | undefined; readonly label: string; readonly isCurrent: boolean }) {
  if (entry === undefined) return null
  return (
    <li>
      <Link to={entry.url} className={classes(css['choice'], isCurrent && css['current'])} aria-current={isCurrent ? 'true' : undefined}>
        {label}
      </Link>
    </li>
  )
}
