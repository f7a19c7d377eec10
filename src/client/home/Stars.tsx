import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect, useRef, useState } from 'react'
import { starLimit } from '../app/constants.ts'
import { Link } from '../app/Link.tsx'
import { t } from '../app/messages.ts'
import { areStarsMissingAtom, loadStarsAtom, moveStarAtom, starsAtom, starTitle } from '../app/stars.ts'
import { useMayOpen } from '../companion/mayOpen.ts'
import { Button } from '../ui/Button.tsx'
import { Card } from '../ui/Card.tsx'
import { Icon } from '../ui/Icon.tsx'
import css from './cards.module.css'
import { StarRow } from './StarRow.tsx'

/** Starred pages: the first ten, the rest under "more"; put in order, renamed and taken off here. */
export function Stars() {
  const stars = useAtomValue(starsAtom)
  const areMissing = useAtomValue(areStarsMissingAtom)
  const load = useSetAtom(loadStarsAtom)
  const move = useSetAtom(moveStarAtom)
  const mayOpen = useMayOpen()
  const [isEditing, setEditing] = useState(false)
  const [spoken, setSpoken] = useState('')
  const list = useRef<HTMLUListElement>(null)
  useEffect(() => void load(), [load])

  const place = (index: number, to: number) => {
    const star = stars[index]
    if (star === undefined || to < 0 || to >= stars.length) return
    void move(star, to)
    setSpoken(t('ui.stars.moved', { page: starTitle(star), place: to + 1, of: stars.length }))
    // The row keeps the focus on its way.
    requestAnimationFrame(() => list.current?.querySelectorAll<HTMLElement>('[data-handle]')[to]?.focus())
  }
  // What the role no longer leads to stays his: put in order, renamed and taken off it can be.
  const reachable = stars.filter((star) => mayOpen(star.url))
  const links = (shown: typeof stars) =>
    shown.map((star) => (
      <li key={star.url}>
        <Link to={star.url}>
          <span>{starTitle(star)}</span>
          <Icon name="right" size={14} />
        </Link>
      </li>
    ))
  return (
    <Card
      icon="star"
      title={t('ui.home.starred')}
      actions={
        stars.length > 0 && (
          <Button look="plain" aria-pressed={isEditing} onClick={() => setEditing(!isEditing)}>
            {t(isEditing ? 'ui.stars.done' : 'ui.stars.edit')}
          </Button>
        )
      }
    >
      {areMissing ? (
        <p className={css['none']} role="alert">
          {t('ui.load-failed')}
          <Button look="plain" icon="refresh" onClick={() => void load()}>
            {t('ui.retry')}
          </Button>
        </p>
      ) : stars.length === 0 ? (
        <p className={css['none']}>{t('ui.home.no-stars')}</p>
      ) : !isEditing && reachable.length === 0 ? (
        <p className={css['none']}>{t('ui.home.no-open-stars')}</p>
      ) : isEditing ? (
        <ul ref={list} className={css['rows']}>
          {stars.map((star, i) => (
            <StarRow key={star.url} star={star} isFirst={i === 0} isLast={i === stars.length - 1} onMove={(step) => place(i, i + step)} onDrop={(from) => place(from, i)} index={i} />
          ))}
        </ul>
      ) : (
        <>
          <ul className={css['list']}>{links(reachable.slice(0, starLimit))}</ul>
          {reachable.length > starLimit && (
            <details className={css['more']}>
              <summary>{t('ui.stars.more', { n: reachable.length - starLimit })}</summary>
              <ul className={css['list']}>{links(reachable.slice(starLimit))}</ul>
            </details>
          )}
        </>
      )}
      <p className="visually-hidden" role="status">
        {spoken}
      </p>
    </Card>
  )
}
