import { useEffect, useState } from 'react'
import css from './Findings.module.css'

/** A finding of the schema check, as scripts/schemas/keeper.ts sends it. */
interface Finding {
  readonly path: string
  readonly line: number
  readonly column: number
  readonly severity: 'error' | 'warning'
  readonly code: string
  readonly message: string
  /** Screens it concerns; undefined: no particular one. */
  readonly screens?: readonly string[]
}

let known: readonly Finding[] = []
const watchers = new Set<(findings: readonly Finding[]) => void>()
import.meta.hot?.on('arus:findings', (findings: readonly Finding[]) => {
  known = findings
  for (const watcher of watchers) watcher(findings)
})
import.meta.hot?.send('arus:ask')

/** Development: what the check finds in the schema files of the screen on view, with its position. Errors that concern no screen show everywhere. */
export function Findings({ screen }: { readonly screen: string | undefined }) {
  const [findings, setFindings] = useState(known)
  useEffect(() => {
    setFindings(known)
    watchers.add(setFindings)
    return () => void watchers.delete(setFindings)
  }, [])
  const shown = findings.filter(({ screens, severity }) => (screens === undefined ? severity === 'error' : screen !== undefined && screens.includes(screen)))
  if (shown.length === 0) return null
  return (
    <ul className={css['findings']} role="status" lang="en" data-testid="findings">
      {shown.slice(0, 8).map((finding) => (
        <li key={`${finding.path}:${finding.line}:${finding.column} ${finding.code}`} data-severity={finding.severity}>
          <b>
            {finding.path}:{finding.line}:{finding.column}
          </b>{' '}
          {finding.severity} <code>{finding.code}</code> {finding.message}
        </li>
      ))}
      {shown.length > 8 && <li>… {shown.length - 8}</li>}
    </ul>
  )
}
