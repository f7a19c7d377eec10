import { useAtomValue } from 'jotai'
import { useEffect, useState } from 'react'
import type { DayCustomer } from '#api/visits.ts'
import { formatDate } from '../app/format.ts'
import { inWords, t } from '../app/messages.ts'
import { saidClock } from '../app/saidTime.ts'
import { sessionAtom } from '../data/session.ts'
import { Lookup } from '../form/Lookup.tsx'
import { Badge } from '../ui/Badge.tsx'
import { Button, IconButton } from '../ui/Button.tsx'
import { EmptyState, ErrorState, Skeleton } from '../ui/States.tsx'
import { openVisit } from './dayState.ts'
import { AtCustomer } from './AtCustomer.tsx'
import { keepWithinReach } from './offline.ts'
import { Refusals } from './Refusals.tsx'
import { useDay, type Day } from './useDay.ts'
import { usePrices } from './usePrices.ts'
import css from './visits.module.css'

/** A salesman's day on his phone: whom he visits, in his order; at one customer at a time. It works out of reach and sends what was done later. */
export function VisitsTodayPage() {
  const user = useAtomValue(sessionAtom)?.user.user_id
  return user === undefined ? null : <Today user={user} />
}

function Today({ user }: { readonly user: number }) {
  const day = useDay(user)
  const { kept, box, isReached, refusal } = day
  const prices = usePrices(user, kept?.day, isReached)
  const [isBusy, setBusy] = useState(false)
  const isKept = kept !== undefined
  useEffect(() => (isKept && isReached ? keepWithinReach(location.pathname) : undefined), [isKept, isReached])
  const arrive = async (customer: DayCustomer): Promise<void> => {
    setBusy(true)
    await day.arrive(customer)
    setBusy(false)
    window.scrollTo({ top: 0 })
  }
  const at = kept && openVisit(kept.day)
  const others = kept?.day.Customers.filter(({ ID }) => ID !== at?.ID) ?? []
  const done = kept?.day.Customers.filter(({ Visit }) => Visit?.Status === 3).length ?? 0
  return (
    <div className={css['page']}>
      <header className={css['head']}>
        <div>
          <h1>{t('page.visits-today')}</h1>
          {kept !== undefined && <span>{t('ui.visits.done', { day: formatDate(kept.day.Day), done, all: kept.day.Customers.length })}</span>}
        </div>
        <IconButton icon="refresh" label={t('ui.reload')} onClick={day.reload} />
      </header>
      <p role="status" className={css['state']}>
        {box.length > 0 && <Badge tone="warning">{t('ui.visits.waiting', { count: box.length })}</Badge>}
        {!isReached && <span>{t('ui.visits.away', { time: kept === undefined ? '' : saidClock(kept.at) })}</span>}
      </p>
      <Refusals box={box} reasons={kept?.day.Reasons ?? []} />
      {kept === undefined && (refusal === undefined ? isReached ? <Skeleton lines={6} /> : <EmptyState title={t('ui.visits.nothingKept')} icon="user" /> : <ErrorState title={t('ui.load-failed')} text={inWords(refusal)} onRetry={day.reload} />)}
      {at !== undefined && kept !== undefined && <AtCustomer key={at.Visit?.VisitKey} customer={at} day={day} reasons={kept.day.Reasons} box={box} prices={prices} />}
      {kept !== undefined && others.length === 0 && at === undefined && <EmptyState title={t('ui.visits.none')} icon="calendar" />}
      <ol className={css['list']}>
        {others.map((customer) => (
          <li key={customer.ID} className={css['card']}>
            <div className={css['about']}>
              <b>{customer.Name}</b>
              <span>{customer.Address}</span>
              {customer.Phone !== '' && <a href={`tel:${customer.Phone}`}>{customer.Phone}</a>}
              {!customer.IsPlanned && <Badge tone="neutral">{t('ui.visits.unplanned')}</Badge>}
            </div>
            <Standing customer={customer} isBusy={isBusy} isElsewhere={at !== undefined} onArrive={() => void arrive(customer)} />
          </li>
        ))}
      </ol>
      {kept !== undefined && at === undefined && isReached && <Other user={user} onChoose={(customer) => void arrive(customer)} day={day} />}
    </div>
  )
}

interface StandingProps {
  readonly customer: DayCustomer
  readonly isBusy: boolean
  readonly isElsewhere: boolean
  readonly onArrive: () => void
}

function Standing({ customer: { Visit }, isBusy, isElsewhere, onArrive }: StandingProps) {
  if (Visit?.Status === 3) return <Badge tone={Visit.Result === 'ORDER' || Visit.Result === 'COLLECTION' ? 'positive' : 'neutral'}>{t(Visit.Result === 'CLOSED' ? 'enum.customer_visit.result.CLOSED' : `enum.${Visit.Result ?? ''}`)}</Badge>
  return (
    <Button look="primary" className={css['big']} busy={isBusy} disabled={isElsewhere} onClick={onArrive}>
      {t('action.check-in')}
    </Button>
  )
}

/** Somebody who is not on the plan of the day. */
function Other({ user, onChoose, day }: { readonly user: number; readonly onChoose: (customer: DayCustomer) => void; readonly day: Day }) {
  return (
    <div className={css['other']}>
      <label htmlFor="visits-other">{t('ui.visits.other')}</label>
      <Lookup
        id="visits-other"
        label={t('ui.visits.other')}
        source={{ entity: 'customer', filter: { status: 1 }, columns: [] }}
        userId={user}
        code=""
        name=""
        onUnread={() => undefined}
        onChoose={(option) => {
          if (option === null) return
          const { ID } = option
          const known = day.kept?.day.Customers.find((customer) => customer.ID === ID)
          onChoose(known ?? { ID, Code: String(option['Code'] ?? ''), Name: String(option['Name'] ?? ''), Address: '', Phone: '', IsPlanned: false, Visit: null, Items: [], Open: '0.00', Due: '0.00' })
        }}
      />
    </div>
  )
}
