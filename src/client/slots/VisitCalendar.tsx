import { useId, useState, useSyncExternalStore, type KeyboardEvent } from 'react'
import { addDays, type DateText } from '#base/date.ts'
import { firstOfPeriod, mondayOf, weekdayOf, weekdays, weekNumbers, visitPatterns, type VisitPattern } from '#domain/sales/visitPlan.ts'
import { t } from '../app/messages.ts'
import { useFormShared } from '../form/FormContext.ts'
import { Lookup } from '../form/Lookup.tsx'
import { chosenValues, emptyRow, isEmpty, type GridRow } from '../grid/gridModel.ts'
import type { LineStore } from '../grid/lineStore.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { classes } from '../ui/classes.ts'
import input from '../ui/input.module.css'
import type { SlotProps } from './slots.ts'
import css from './VisitCalendar.module.css'
import { changed, inOrder, inRhythm, onDay, rhythmOf, rowsOn, weeksOf } from './visitMonth.ts'

interface Chosen {
  readonly day: DateText
  /** Line of the customer; none: one is being added. */
  readonly key: string | undefined
}

/** The month of a plan: customers stand on their days, are put on others, in another rhythm and order. It and the lines below are the same lines. */
export function VisitCalendar({ session, readOnly }: SlotProps) {
  const store = session.grids.get('Lines')
  return store === undefined ? null : <Month session={session} store={store} readOnly={readOnly} />
}

function Month({ session, store, readOnly }: SlotProps & { readonly store: LineStore }) {
  const id = useId()
  const rows = useSyncExternalStore(store.onAny, () => store.rows)
  const period = useSyncExternalStore(session.store.onChange, () => String(session.store.values['PlanPeriod'] ?? ''))
  const [chosen, setChosen] = useState<Chosen>()
  if (!/^\d{6}$/.test(period)) return null
  const { record } = session.state
  const anchor = record?.['PlanPeriod'] === period && typeof record['Anchor'] === 'string' ? record['Anchor'] : mondayOf(firstOfPeriod(period))
  const put = (key: string, day: DateText): void => {
    const row = store.row(key)
    if (row === undefined || readOnly) return
    store.edit(changed(store.rows, key, onDay(rhythmOf(row).pattern, day, anchor)))
    setChosen({ day, key })
  }
  const remove = (key: string): void => {
    store.edit(store.rows.filter((row) => row.key !== key))
    setChosen(undefined)
  }
  const order = (key: string, day: DateText, by: 1 | -1): void => store.edit(inOrder(store.rows, key, day, anchor, by))
  const onKey = (event: KeyboardEvent, row: GridRow, day: DateText): void => {
    if (readOnly) return
    const step = event.altKey ? { ArrowLeft: -1, ArrowRight: 1 }[event.key] : undefined
    if (step !== undefined) put(row.key, withinMonth(addDays(day, step), period) ?? day)
    else if (event.altKey && event.key === 'ArrowUp') order(row.key, day, -1)
    else if (event.altKey && event.key === 'ArrowDown') order(row.key, day, 1)
    else if (event.key === 'Delete') remove(row.key)
    else return
    event.preventDefault()
    requestAnimationFrame(() => document.querySelector<HTMLElement>(`[data-visit="${CSS.escape(row.key)}"][aria-pressed="true"]`)?.focus())
  }
  const line = chosen?.key === undefined ? undefined : rows.find((row) => row.key === chosen.key)
  return (
    <div className={css['calendar']}>
      <div className={css['month']} role="group" aria-label={t('ui.visits.month')}>
        <div className={css['heads']} aria-hidden>
          {weekdays.map((weekday) => (
            <span key={weekday}>{t(`enum.${weekday}`)}</span>
          ))}
        </div>
        {weeksOf(period).map((week, n) => (
          <div key={week.find(Boolean) ?? n} className={css['week']}>
            {week.map((day, at) =>
              day === undefined ? (
                <span key={`${n}-${weekdays[at] ?? at}`} className={css['outside']} />
              ) : (
                <div
                  key={day}
                  role="group"
                  aria-label={`${t(`enum.${weekdayOf(day)}`)} ${Number(day.slice(8))}`}
                  className={classes(css['day'], chosen?.day === day && css['here'])}
                  onDragOver={(event) => event.preventDefault()}
                  onDrop={(event) => {
                    event.preventDefault()
                    put(event.dataTransfer.getData('text/plain'), day)
                  }}
                >
                  <span className={css['date']}>
                    <b>{Number(day.slice(8))}</b> <span className={css['name']}>{t(`enum.${weekdayOf(day)}`)}</span>
                    {!readOnly && <IconButton icon="plus" label={t('ui.visits.addOn', { day: `${day.slice(8)}/${day.slice(5, 7)}` })} onClick={() => setChosen({ day, key: undefined })} />}
                  </span>
                  {rowsOn(rows, day, anchor).map((row) => (
                    <button
                      key={row.key}
                      type="button"
                      className={css['visit']}
                      data-visit={row.key}
                      data-pattern={rhythmOf(row).pattern}
                      aria-pressed={chosen?.key === row.key && chosen.day === day}
                      draggable={!readOnly}
                      onDragStart={(event) => event.dataTransfer.setData('text/plain', row.key)}
                      onClick={() => setChosen({ day, key: row.key })}
                      onKeyDown={(event) => onKey(event, row, day)}
                    >
                      {String(row.values['CustomerName'] ?? row.values['CustomerCode'] ?? '')}
                    </button>
                  ))}
                </div>
              ),
            )}
          </div>
        ))}
      </div>
      {chosen !== undefined && !readOnly && (
        <section className={css['panel']} aria-label={t('ui.visits.customer')}>
          {line === undefined ? (
            <Adding id={id} store={store} onChosen={(key) => setChosen({ ...chosen, key })} values={onDay((session.store.values['Pattern'] ?? 'WEEKLY') as VisitPattern, chosen.day, anchor)} seq={rowsOn(rows, chosen.day, anchor).length + 1} />
          ) : (
            <>
              <b className={css['who']}>{String(line.values['CustomerName'] ?? '')}</b>
              <label className={css['choice']}>
                {t('field.visit_plan_line.pattern')}
                <select className={input['input']} value={rhythmOf(line).pattern} onChange={(event) => store.edit(changed(store.rows, line.key, inRhythm(event.target.value as VisitPattern, chosen.day, anchor)))}>
                  {visitPatterns.map((pattern) => <option key={pattern} value={pattern}>{t(`enum.${pattern}`)}</option>)}
                </select>
              </label>
              <label className={css['choice']}>
                {t('field.weekday')}
                <select className={input['input']} value={rhythmOf(line).weekday} onChange={(event) => store.edit(changed(store.rows, line.key, { Weekday: event.target.value }))}>
                  {weekdays.map((weekday) => <option key={weekday} value={weekday}>{t(`enum.${weekday}`)}</option>)}
                </select>
              </label>
              {weekNumbers(rhythmOf(line).pattern).length > 0 && (
                <label className={css['choice']}>
                  {t('field.week_no')}
                  <select className={input['input']} value={String(rhythmOf(line).weekNo ?? '')} onChange={(event) => store.edit(changed(store.rows, line.key, { WeekNo: event.target.value }))}>
                    {weekNumbers(rhythmOf(line).pattern).map((week) => <option key={week} value={week}>{week === 5 ? t('ui.visits.lastWeek') : week}</option>)}
                  </select>
                </label>
              )}
              <div className={css['buttons']}>
                <Button onClick={() => order(line.key, chosen.day, -1)}>{t('ui.visits.earlier')}</Button>
                <Button onClick={() => order(line.key, chosen.day, 1)}>{t('ui.visits.later')}</Button>
                <Button onClick={() => remove(line.key)}>{t('ui.visits.remove')}</Button>
                <Button onClick={() => setChosen(undefined)}>{t('ui.close')}</Button>
              </div>
            </>
          )}
        </section>
      )}
    </div>
  )
}

interface AddingProps {
  readonly id: string
  readonly store: LineStore
  readonly values: Readonly<Record<string, unknown>>
  readonly seq: number
  readonly onChosen: (key: string) => void
}

/** A customer is chosen, and stands on the day at once. */
function Adding({ id, store, values, seq, onChosen }: AddingProps) {
  const { userId } = useFormShared()
  const column = store.columns.find(({ wire }) => wire === 'CustomerID')
  if (column === undefined) return null
  return (
    <div className={css['choice']}>
      <label htmlFor={`${id}-customer`}>{t('ui.visits.add')}</label>
      <Lookup
        id={`${id}-customer`}
        label={t('ui.visits.add')}
        source={{ entity: 'customer', filter: { status: 1 }, columns: [] }}
        userId={userId}
        code=""
        name=""
        onUnread={() => undefined}
        onChoose={(option) => {
          if (option === null) return
          const key = store.newKey()
          const kept = store.rows.filter((row) => !isEmpty(row, store.columns))
          store.edit([...kept, emptyRow(key, { ...chosenValues(column, option), ...values, Seq: String(seq) })])
          onChosen(key)
        }}
      />
    </div>
  )
}

function withinMonth(day: DateText, period: string): DateText | undefined {
  return day.startsWith(`${period.slice(0, 4)}-${period.slice(4)}`) ? day : undefined
}
