import { compared } from '#base/unseen.ts'
import { useState, type DragEvent, type KeyboardEvent } from 'react'
import type { StudioDataset } from '#api/studio.ts'
import { added, compareOf, type Composed, mayStand, moved, type Offered, type Placed, placedOn, removed, shelves, type Shelf, withChart, withCompare, withGrain } from '#meta/authoring/compose.ts'
import { comparisons, grains } from '#meta/day.ts'
import { t } from '../app/messages.ts'
import { Icon } from '../ui/Icon.tsx'
import input from '../ui/input.module.css'
import { Menu } from '../ui/Menu.tsx'
import css from './Composer.module.css'
import { offeredMeasure } from './vocabulary.ts'

interface ComposerProps {
  readonly dataset: StudioDataset
  readonly report: Composed
  readonly onChange: (report: Composed) => void
}

interface Item {
  readonly column: Offered
  readonly label: string
  readonly about: string
  readonly isMeasure: boolean
}

const dragType = 'application/x-shelf-place'

/** What the dataset has, in business words, and what of it stands where in the report. */
export function Composer({ dataset, report, onChange }: ComposerProps) {
  const [words, setWords] = useState('')
  // Said aloud: what the eye sees change.
  const [said, say] = useState('')
  const items: readonly Item[] = [
    ...dataset.Measures.map((measure) => ({ column: offeredMeasure(measure), label: t(measure.label), about: `${t(`studio.type.${measure.type}`)} · ${t(`studio.agg.${measure.agg.kind}`)}`, isMeasure: true })),
    ...dataset.Dimensions.map((dimension) => ({ column: dimension, label: t(dimension.label), about: t(`studio.type.${dimension.type}`), isMeasure: false })),
  ]
  const labels = new Map([...items.map(({ column, label }) => [column.name, label] as const), ...dataset.Parameters.map(({ name, label }) => [name, t(label)] as const)])
  const fits = ({ label, column }: Item) => compared(`${label} ${column.name}`).includes(compared(words))
  const absent = dataset.Parameters.filter(({ name }) => !placedOn(report, 'parameters').some((placed) => placed.name === name))
  const isDrawn = report['chart'] !== undefined
  const canDraw = placedOn(report, 'rows').length > 0 && placedOn(report, 'measures').length > 0
  return (
    <div className={css['composer']}>
      <div className="visually-hidden" role="status">
        {said}
      </div>
      <div>
        <strong>{t(dataset.Label)}</strong>
        <p className={css['aside']}>{t('studio.grain', { grain: t(dataset.Grain) })}</p>
      </div>
      <div className={css['offer']}>
        <input type="search" className={input['input']} aria-label={t('studio.find')} placeholder={t('studio.find')} value={words} onChange={(event) => setWords(event.target.value)} />
        {([true, false] as const).map((isMeasure) => (
          <div key={String(isMeasure)}>
            <h3>{t(isMeasure ? 'studio.measures' : 'studio.dimensions')}</h3>
            <ul className={css['items']} aria-label={t(isMeasure ? 'studio.measures' : 'studio.dimensions')}>
              {items.filter((item) => item.isMeasure === isMeasure && fits(item)).map((item) => (
                <Offer key={item.column.name} item={item} report={report} onChange={onChange} say={say} />
              ))}
            </ul>
          </div>
        ))}
        {absent.length > 0 && (
          <div>
            <h3>{t('studio.parameters')}</h3>
            <ul className={css['items']} aria-label={t('studio.parameters')}>
              {absent.map(({ name, label, type }) => (
                <li key={name} className={css['item']}>
                  <span className={css['words']}>{t(label)}</span>
                  <button type="button" className={css['tool']} aria-label={t('studio.add-to', { name: t(label), shelf: t('studio.shelf.parameters') })} onClick={() => onChange(added(report, 'parameters', { name, type }))}>
                    <Icon name="plus" size={14} />
                  </button>
                </li>
              ))}
            </ul>
          </div>
        )}
      </div>
      <div className={css['put']}>
        {shelves.map((shelf) => (
          <ShelfList key={shelf} shelf={shelf} report={report} labels={labels} types={new Map(items.map(({ column }) => [column.name, column.type]))} onChange={onChange} say={say} />
        ))}
        <div className={css['choices']}>
          {dataset.HasPeriod && (
            <label className={css['choice']}>
              <span>{t('studio.compare')}</span>
              <select className={input['input']} value={compareOf(report) ?? ''} disabled={placedOn(report, 'rows').length + placedOn(report, 'across').length === 0} onChange={(event) => onChange(withCompare(report, event.target.value === '' ? undefined : event.target.value))}>
                <option value="">{t('studio.compare-none')}</option>
                {comparisons.map((comparison) => (
                  <option key={comparison} value={comparison}>
                    {t(`ui.report.compare.${comparison}`)}
                  </option>
                ))}
              </select>
            </label>
          )}
          <label className={css['tick']}>
            <input type="checkbox" className={input['check']} checked={isDrawn} disabled={!isDrawn && !canDraw} onChange={(event) => onChange(withChart(report, event.target.checked))} />
            {t('studio.chart')}
          </label>
        </div>
      </div>
    </div>
  )
}

/** A click puts it where it usually stands; the menu beside it names the other places. */
function Offer({ item: { column, label, about, isMeasure }, report, onChange, say }: Omit<ComposerProps, 'dataset'> & { readonly item: Item; readonly say: (words: string) => void }) {
  const places = shelves.filter((shelf) => mayStand(shelf, column, isMeasure))
  const usual = places[0]
  const put = (shelf: Shelf) => {
    onChange(added(report, shelf, column))
    say(t('studio.added', { name: label, shelf: t(`studio.shelf.${shelf}`) }))
  }
  return (
    <li className={css['item']}>
      <button type="button" className={css['words']} disabled={usual === undefined} title={column.name} aria-label={usual === undefined ? label : t('studio.add-to', { name: label, shelf: t(`studio.shelf.${usual}`) })} onClick={() => usual !== undefined && put(usual)}>
        <span>{label}</span>
        <span className={css['aside']}>{about}</span>
      </button>
      {places.length > 0 && (
        <Menu
          trigger={<Icon name="plus" size={14} />}
          triggerClass={css['tool']}
          label={t('studio.add', { name: label })}
          items={places.map((shelf) => ({ id: shelf, label: t(`studio.shelf.${shelf}`), disabled: placedOn(report, shelf).some(({ name }) => name === column.name), onSelect: () => put(shelf) }))}
        />
      )}
    </li>
  )
}

interface ShelfListProps {
  readonly shelf: Shelf
  readonly report: Composed
  readonly labels: ReadonlyMap<string, string>
  readonly types: ReadonlyMap<string, string>
  readonly onChange: (report: Composed) => void
  readonly say: (words: string) => void
}

/** What stands on one shelf, in its order: moved by dragging or Alt with the arrows, taken away with Delete. */
function ShelfList({ shelf, report, labels, types, onChange, say }: ShelfListProps) {
  const placed = placedOn(report, shelf)
  const name = t(`studio.shelf.${shelf}`)
  const labelOf = ({ name: column }: Placed) => labels.get(column) ?? column
  const move = (from: number, to: number) => {
    const entry = placed[from]
    if (entry === undefined || to < 0 || to >= placed.length) return
    onChange(moved(report, shelf, from, to))
    say(t('studio.moved', { name: labelOf(entry), at: to + 1, of: placed.length }))
  }
  const press = (event: KeyboardEvent<HTMLLIElement>, at: number) => {
    const list = event.currentTarget.parentElement
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
    if (event.altKey && step !== 0) move(at, at + step)
    else if (event.target === event.currentTarget && event.key === 'Delete') onChange(removed(report, shelf, at))
    else return
    event.preventDefault()
    // It moves; whoever moves it stays on it.
    const next = event.key === 'Delete' ? Math.min(at, placed.length - 2) : Math.min(Math.max(at + step, 0), placed.length - 1)
    requestAnimationFrame(() => list?.querySelectorAll<HTMLElement>(':scope > li')[next]?.focus())
  }
  return (
    <div className={css['shelf']}>
      <h3>{name}</h3>
      {placed.length === 0 ? (
        <p className={css['aside']}>{t(`studio.empty.${shelf}`)}</p>
      ) : (
        <ul className={css['placed']} aria-label={t('studio.of-report', { shelf: name })}>
          {placed.map((entry, at) => (
            // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it is moved and removed by keys
            <li key={`${entry.name} ${entry.grain ?? ''}`} className={css['entry']} tabIndex={0} aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown Delete" draggable onKeyDown={(event) => press(event, at)} {...dragging(shelf, at, move)}>
              <span className={css['grip']} aria-hidden="true">
                <Icon name="grip" size={14} />
              </span>
              <span className={css['words']}>{labelOf(entry)}</span>
              {(shelf === 'rows' || shelf === 'across') && types.get(entry.name) === 'date' && (
                <select className={css['grain']} aria-label={t('studio.steps', { name: labelOf(entry) })} value={entry.grain ?? 'day'} onChange={(event) => onChange(withGrain(report, shelf, at, grains.find((grain) => grain === event.target.value) ?? 'month'))}>
                  {grains.map((grain) => (
                    <option key={grain} value={grain}>
                      {t(`ui.grain.${grain}`)}
                    </option>
                  ))}
                </select>
              )}
              {placed.length > 1 && (
                <>
                  <Tool icon="up" label={t('ui.column.up', { column: labelOf(entry) })} disabled={at === 0} onUse={() => move(at, at - 1)} />
                  <Tool icon="down" label={t('ui.column.down', { column: labelOf(entry) })} disabled={at === placed.length - 1} onUse={() => move(at, at + 1)} />
                </>
              )}
              <Tool icon="close" label={t('studio.remove-from', { name: labelOf(entry), shelf: name })} onUse={() => onChange(removed(report, shelf, at))} />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function Tool({ icon, label, disabled = false, onUse }: { readonly icon: 'up' | 'down' | 'close'; readonly label: string; readonly disabled?: boolean; readonly onUse: () => void }) {
  return (
    <button type="button" className={css['tool']} aria-label={label} title={label} disabled={disabled} onClick={onUse}>
      <Icon name={icon} size={14} />
    </button>
  )
}

function dragging(shelf: Shelf, at: number, onMove: (from: number, to: number) => void) {
  const type = `${dragType}-${shelf}`
  return {
    onDragStart: (event: DragEvent<HTMLElement>) => event.dataTransfer.setData(type, String(at)),
    onDragOver: (event: DragEvent<HTMLElement>) => {
      if (event.dataTransfer.types.includes(type)) event.preventDefault()
    },
    onDrop: (event: DragEvent<HTMLElement>) => {
      const from = event.dataTransfer.getData(type)
      if (from === '') return
      event.preventDefault()
      onMove(Number(from), at)
    },
  }
}
