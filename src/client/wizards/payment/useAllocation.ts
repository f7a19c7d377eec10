import { exact, money } from '#base/decimal.ts'
import { useAtom } from 'jotai'
import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import type { WireRecord } from '#api/envelope.ts'
import type { InvoiceOption, PaymentAccount, PaymentLine, ReasonOption } from '#api/payment.ts'
import { formatMoney } from '../../app/format.ts'
import { t } from '../../app/messages.ts'
import type { SlotPart } from '../../form/formState.ts'
import type { HandIn } from '../../form/heldBack.ts'
import { say, type Message } from '../../form/message.ts'
import { same } from '../../form/same.ts'
import type { SlotProps } from '../../slots/slots.ts'
import { balance, checkLine, keepEntered, lineOf, sentLines, storedLines, takeLines, wireLines, type Lines } from './allocation.ts'
import { arPaymentAtom, emptyArPayment, loadArPayment, mapPaymentAccount, type ArPaymentFilter } from './arPayment.ts'
import type { Entries } from './entries.tsx'
import { openInvoices } from './openItems.ts'

/** What is wrong with what stands in a box, by its id. */
type Unread = Readonly<Record<string, Message>>

/** The lines of a receipt as a part of its form: what is open for its customer, what is stored, what is typed. `id` names its table. */
export function useAllocation(session: SlotProps['session'], id: string) {
  const { store } = session
  const customerId = useSyncExternalStore(store.onChange, () => numberOf(store.values['CustomerID']))
  const amount = useSyncExternalStore(store.onChange, () => money(exact(decimalOf(store.values['Amount'])).minus(decimalOf(store.values['Recovered']))))
  const [items, setItems] = useAtom(arPaymentAtom)
  const accountId = useSyncExternalStore(store.onChange, () => numberOf(store.values['PaymentAccountID']))
  const unitId = useSyncExternalStore(store.onChange, () => numberOf(store.values['OperatingUnitID']))
  const [lines, setLines] = useState<Lines>([])
  const [tried, setTried] = useState(false)
  // What the record holds, and what is laid over the open invoices as soon as they are read: that, or what a draft has kept.
  const base = useRef<readonly PaymentLine[]>([])
  const stored = useRef<readonly PaymentLine[]>([])
  // Customer whose invoices stand in the lines.
  const readFor = useRef<number | undefined>(undefined)
  // Beside the state: who saves asks for the lines in the moment in which the last box has handed in what it held.
  const current = useRef<Lines>([])
  const put = useCallback((next: (before: Lines) => Lines) => {
    current.current = next(current.current)
    setLines(current.current)
  }, [])
  const [unread, setUnread] = useState<Unread>({})
  const currentUnread = useRef<Unread>({})
  const [refusal, setRefusal] = useState<string>()
  const [tries, setTries] = useState(0)
  const latest = useRef<{ items: ArPaymentFilter; account: PaymentAccount | undefined }>({ items, account: undefined })
  latest.current = { items, account: items.paymentAccount.find((one) => one.ID === accountId) }

  const change = useCallback(
    (next: (before: Lines) => Lines) => {
      put(next)
      queueMicrotask(session.touched)
    },
    [put, session],
  )
  const holdBack = useCallback((box: string, handIn: HandIn) => store.holdBack(box, handIn), [store])
  const onUnread = useCallback(
    (box: string, label: string, message: Message | undefined) => {
      const { [box]: before, ...others } = currentUnread.current
      if (before === undefined && message === undefined) return
      currentUnread.current = message === undefined ? others : { ...others, [box]: { text: `${label}: ${say(message, t)}` } }
      setUnread(currentUnread.current)
      queueMicrotask(session.touched)
    },
    [session],
  )
  const entries = useMemo((): Entries => ({ holdBack, unread, onUnread }), [holdBack, unread, onUnread])

  const recordId = useSyncExternalStore(session.subscribe, () => session.state.record?.ID)
  const isDraft = useSyncExternalStore(session.subscribe, () => (session.state.record?.['Status'] ?? 0) === 0)
  useEffect(() => {
    if (customerId === undefined) {
      setItems(emptyArPayment)
      readFor.current = undefined
      put(() => [])
      return undefined
    }
    let isCurrent = true
    const load = async () => {
      const [answer, found] = await Promise.all([openInvoices(customerId), loadArPayment(customerId, unitId)])
      if (!isCurrent) return
      const refused = [answer, found].find((one) => !one.ok)
      setRefusal(refused?.ok === false ? refused.problem.text : undefined)
      if (!answer.ok || !found.ok) return
      take(answer.value.invoiceOptions, found.value)
    }
    const take = (invoices: readonly InvoiceOption[], found: ArPaymentFilter) => {
      setItems(found)
      const [bank] = found.ouBank
      const isByBank = store.values['Method'] === 'TRANSFER' || store.values['Method'] === 'VA'
      // A unit with one account of its own receives on it.
      if (isDraft && isByBank && found.ouBank.length === 1 && bank !== undefined && store.isEmpty('HouseBankID')) store.prefill({ HouseBankID: bank.ID, HouseBankCode: bank.Code, HouseBankName: bank.Name })
      const open = invoices.map((invoice) => lineOf(invoice, false))
      const known = new Set(open.map((line) => line.invoiceId))
      const gone = storedLines(stored.current.filter((line) => !known.has(line.InvoiceID)))
      put((before) => {
        if (!isDraft) return takeLines(storedLines(stored.current), stored.current)
        const read = [...open, ...gone]
        return readFor.current === customerId ? keepEntered(read, before) : takeLines(read, stored.current)
      })
      readFor.current = customerId
    }
    void load()
    return () => {
      isCurrent = false
    }
  }, [customerId, recordId, isDraft, unitId, store, setItems, put, tries])

  useEffect(() => {
    // As long as its invoices have not been read, or cannot be, the receipt stays what it was.
    const isRead = () => readFor.current === numberOf(store.values['CustomerID'])
    const entered = () => (isRead() ? wireLines(current.current) : sentLines(stored.current))
    const part: SlotPart = {
      payload: () => ({ Lines: entered(), ...(latest.current.account === undefined ? {} : mapPaymentAccount(latest.current.account)) }),
      problems: () => {
        setTried(true)
        return [...Object.values(currentUnread.current), ...problemsOf(isRead() ? current.current : [], latest.current.items.reason, decimalOf(store.values['Amount']))]
      },
      isDirty: () => Object.keys(currentUnread.current).length > 0 || (isRead() ? !same(entered(), wireLines(takeLines(current.current, base.current))) : stored.current !== base.current),
      draft: () => (part.isDirty() ? entered() : undefined),
      restore: (draft) => {
        if (!Array.isArray(draft)) return
        stored.current = draft as readonly PaymentLine[]
        put((before) => takeLines(before, stored.current))
      },
      load: (record) => {
        base.current = linesOf(record)
        stored.current = base.current
        setTried(false)
        put((before) => takeLines(before, stored.current))
      },
      changedIn: (record) => !same(sentLines(linesOf(record)), sentLines(base.current)),
      focus: () => {
        const table = document.getElementById(`${id}-table`)
        const box = table?.querySelector<HTMLElement>('[aria-invalid="true"]') ?? table?.querySelector<HTMLElement>('input')
        box?.focus()
      },
    }
    return session.register('payment-allocation', part)
  }, [session, store, id, put])

  return { customerId, amount, items, setItems, account: latest.current.account, lines, change, tried, entries, refusal, retry: () => setTries(tries + 1) }
}

function problemsOf(lines: Lines, why: readonly ReasonOption[], amount: string): readonly Message[] {
  const found = lines.flatMap((line) => Object.values(checkLine(line, why)).map((message): Message => ({ text: `${line.code}: ${say(message, t)}` })))
  const totals = balance(amount, lines)
  return totals.holds ? found : [...found, { key: 'ui.payment.notBalanced', params: { difference: formatMoney(totals.difference.replace('-', '')) } }]
}

function linesOf(record: WireRecord | undefined): readonly PaymentLine[] {
  const lines = record?.['Lines']
  return Array.isArray(lines) ? lines.map((line: PaymentLine) => ({ ...line, Credits: line.Credits ?? [], Deductions: line.Deductions ?? [] })) : []
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined
}

export function decimalOf(value: unknown): string {
  return typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? value : '0'
}
