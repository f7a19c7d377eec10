import { useAtomValue } from 'jotai'
import { Suspense, useRef, useState } from 'react'
import { formatMoney } from '../../app/format.ts'
import { lazy } from '../../app/lazy.tsx'
import { t } from '../../app/messages.ts'
import { newKey, type Refusal } from '../../data/http.ts'
import { sessionAtom } from '../../data/session.ts'
import { useAnswer } from '../../data/useAnswer.ts'
import { Lookup } from '../../form/Lookup.tsx'
import { codeOf, nameOf, type Option } from '../../form/lookupClient.ts'
import { Button } from '../../ui/Button.tsx'
import { describedBy, Field } from '../../ui/Field.tsx'
import input from '../../ui/input.module.css'
import { EmptyState, ErrorState, Skeleton } from '../../ui/States.tsx'
import { VanDone } from './VanDone.tsx'
import { VanGoodsList } from './VanGoodsList.tsx'
import { VanPayment } from './VanPayment.tsx'
import { isEmpty, priceSale, readVans, sellGoods, type Sold, type VanGoods, type Wanted } from './vanSale.ts'
import css from './VanSale.module.css'

const WarningsDialog = lazy(() => import('../../form/WarningsDialog.tsx').then((module) => ({ default: module.WarningsDialog })))

/** The canvasser sells from his van: customer, goods, money, paper. */
export function VanSalePage() {
  const user = useAtomValue(sessionAtom)?.user.user_id ?? 0
  const { value, problem, reload } = useAnswer(`vans of ${user}`, (signal) => readVans(user, signal))
  const [round, setRound] = useState(0)
  const [chosen, setChosen] = useState<number>()
  const trips = [...new Map((value ?? []).map((goods) => [goods.trip, goods.vanName])).entries()]
  const trip = chosen ?? trips[0]?.[0]
  const next = () => {
    reload()
    setRound((before) => before + 1)
  }
  return (
    <section className={css['page']} aria-label={t('page.van-sale')}>
      <h1>{t('page.van-sale')}</h1>
      {problem !== undefined && <ErrorState title={t('ui.load-failed')} text={problem.text} onRetry={reload} />}
      {value === undefined && problem === undefined && <Skeleton lines={6} />}
      {value?.length === 0 && <EmptyState icon="truck" title={t('ui.van-sale.no-van')} />}
      {trips.length > 1 && (
        <Field id="van-trip" label={t('field.van_warehouse_id')}>
          <select id="van-trip" className={input['input']} value={trip} onChange={(event) => setChosen(Number(event.target.value))}>
            {trips.map(([id, name]) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </Field>
      )}
      {value !== undefined && trip !== undefined && <Sale key={`${trip} ${round}`} goods={value.filter((goods) => goods.trip === trip)} user={user} onNext={next} />}
    </section>
  )
}

function Sale({ goods, user, onNext }: { readonly goods: readonly VanGoods[]; readonly user: number; readonly onNext: () => void }) {
  const [{ trip, van } = { trip: 0, van: 0 }] = goods
  const [customer, setCustomer] = useState<Option | null>(null)
  const [unread, setUnread] = useState<string>()
  const [wanted, setWanted] = useState<ReadonlyMap<number, Wanted>>(new Map())
  const [isPaying, setPaying] = useState(false)
  const [typed, setReceived] = useState<string>()
  const [refusal, setRefusal] = useState<Refusal>()
  const [isBusy, setBusy] = useState(false)
  const [sold, setSold] = useState<Sold>()
  // The same sale sent again after a lost connection is made once.
  const key = useRef('')
  const isAsking = customer !== null && !isEmpty(wanted)
  const { value: priced, problem: unpriced } = useAnswer(`${customer?.ID ?? ''} ${JSON.stringify([...wanted])}`, (signal) => (isAsking ? priceSale(van, customer.ID, wanted, signal) : new Promise<never>(() => undefined)))
  const total = String(priced?.record['Total'] ?? '0')
  const received = typed ?? total
  const change = () => {
    setRefusal(undefined)
    setReceived(undefined)
    key.current = ''
  }
  const sell = async (acknowledge?: readonly string[]) => {
    if (customer === null) return
    key.current ||= newKey()
    setBusy(true)
    const answer = await sellGoods(trip, customer.ID, wanted, received, { key: key.current, acknowledge })
    setBusy(false)
    if (answer.ok) return setSold(answer.value)
    setRefusal(answer.problem)
    // What was typed stays; what is wrong with the goods is said where they stand.
    if (answer.problem.errors.some(({ field }) => !field.startsWith('Received'))) setPaying(false)
  }
  if (sold !== undefined) return <VanDone sold={sold} onNext={onNext} />
  const lines = [...wanted].filter(([, { qty }]) => Number(qty) > 0).map(([item]) => item)
  const errors = [...(priced?.errors ?? []), ...(refusal?.errors ?? [])]
  const ofLine = new Map(errors.flatMap(({ field, text }) => {
    const item = lines[Number(/^Lines\[(\d+)\]/.exec(field)?.[1] ?? -1)]
    return item === undefined ? [] : [[item, text] as const]
  }))
  const of = (name: string) => errors.find(({ field }) => field === name)?.text
  const isSaid = refusal === undefined || refusal.warnings.length > 0 || refusal.errors.some(({ field }) => field.startsWith('Lines[') || ['Received', 'CustomerID'].includes(field))
  return (
    <>
      {isPaying && priced !== undefined ? (
        <VanPayment record={priced.record} received={received} problem={of('Received')} onReceived={(amount) => { change(); setReceived(amount) }} />
      ) : (
        <>
          <Field id="van-customer" label={t('field.customer_id')} required errors={[of('CustomerID') ?? unread ?? ''].filter((text) => text !== '')}>
            <Lookup
              id="van-customer" label={t('field.customer_id')} userId={user} required describedBy={describedBy('van-customer')} invalid={of('CustomerID') !== undefined}
              source={{ entity: 'customer', filter: { status: 1 }, columns: [] }}
              code={customer === null ? '' : codeOf(customer)} name={customer === null ? '' : nameOf(customer)}
              onChoose={(option) => { change(); setCustomer(option) }}
              onUnread={(message) => setUnread(message === undefined ? undefined : 'text' in message ? message.text : t(message.key, { ...message.params }))}
            />
          </Field>
          <VanGoodsList goods={goods} wanted={wanted} problems={ofLine} onWant={(item, one) => { change(); setWanted(new Map([...wanted, [item, one]])) }} />
        </>
      )}
      {unpriced !== undefined && <p className={css['problem']} role="alert">{unpriced.text}</p>}
      {!isSaid && <p className={css['problem']} role="alert">{refusal.text}</p>}
      <div className={css['foot']}>
        {isPaying && <Button onClick={() => setPaying(false)}>{t('ui.back')}</Button>}
        <span className={css['total']} aria-live="polite">{formatMoney(total)}</span>
        {isPaying ? (
          <Button look="primary" busy={isBusy} onClick={() => void sell()}>{t('ui.van-sale.sell')}</Button>
        ) : (
          <Button look="primary" disabled={!isAsking || priced === undefined || (priced.errors ?? []).length > 0} onClick={() => setPaying(true)}>{t('ui.van-sale.pay')}</Button>
        )}
      </div>
      <Suspense>
        {refusal !== undefined && refusal.warnings.length > 0 && (
          <WarningsDialog warnings={refusal.warnings} onClose={() => setRefusal(undefined)} onContinue={() => { setRefusal(undefined); void sell(refusal.warnings.map(({ id }) => id)) }} />
        )}
      </Suspense>
    </>
  )
}
