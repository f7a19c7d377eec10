import type { Obstacle } from '#api/problems.ts'
import { Link } from './Link.tsx'
import { inWords } from './messages.ts'
import css from './Obstacles.module.css'

interface ObstaclesProps {
  readonly obstacles: readonly Obstacle[]
  /** Opens them beside this page, where something typed is still open. */
  readonly beside?: boolean
}

/** What stands in the way, each with the record or the list that shows it. */
export function Obstacles({ obstacles, beside = false }: ObstaclesProps) {
  return (
    <ul className={css['obstacles']}>
      {obstacles.map((obstacle, i) => (
        // oxlint-disable-next-line react/no-array-index-key -- they never change places
        <li key={i}>{placed(obstacle, beside)}</li>
      ))}
    </ul>
  )
}

function placed(obstacle: Obstacle, beside: boolean) {
  const text = inWords(obstacle)
  if (obstacle.path === undefined) return text
  if (!beside) return <Link to={obstacle.path}>{text}</Link>
  return (
    <a href={obstacle.path} target="_blank" rel="noopener">
      {text}
    </a>
  )
}
