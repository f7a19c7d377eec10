import { useAtom } from 'jotai'
import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import type { WireRecord } from '#api/envelope.ts'
import type { PaymentAccount, PaymentLine, ReasonOption } from '#api/payment.ts'
import { formatMoney } from '../../app/format.ts'
import { t } from '../../app/messages.ts'
import type { SlotPart } from '../../form/formState.ts'
import { say, type Message } from '../../form/message.ts'
import type { SlotProps } from '../../slots/slots.ts'
import { balance, checkLine, lineOf, storedLines, takeLines, wireLines, type Lines } from './allocation.ts'
import { arPaymentAtom, emptyArPayment, loadArPayment, mapPaymentAccount, type ArPaymentFilter } from './arPayment.ts'
import { openInvoices } from './openItems.ts'

/** The lines of a receipt as a part of its form: what is open for its customer, what is stored, what is typed. `id` names its table. */
export function useAllocation(session: SlotProps['session'], id: string) {
  const { store } = session
  const customerId = useSyncExternalStore(store.onChange, () => numberOf(store.values['CustomerID']))
  const amount = useSyncExternalStore(store.onChange, () => decimalOf(store.values['Amount']))
  const [items, setItems] = useAtom(arPaymentAtom)
  const accountId = useSyncExternalStore(store.onChange, () => numberOf(store.values['PaymentAccountID']))
  const unitId = useSyncExternalStore(store.onChange, () => numberOf(store.values['OperatingUnitID']))
  const [lines, setLines] = useState<Lines>([])
  const [tried, setTried] = useState(false)
  const stored = useRef<readonly PaymentLine[]>([])
  const latest = useRef<{ lines: Lines; items: ArPaymentFilter; account: PaymentAccount | undefined }>({ lines, items, account: undefined })
  latest.current = { lines, items, account: items.paymentAccount.find((one) => one.ID === accountId) }

  const change = useCallback(
    (next: (before: Lines) => Lines) => {
      setLines((before) => next(before))
      queueMicrotask(session.touched)
    },
    [session],
  )

  const recordId = useSyncExternalStore(session.subscribe, () => session.state.record?.ID)
  const isDraft = useSyncExternalStore(session.subscribe, () => (session.state.record?.['Status'] ?? 0) === 0)
  useEffect(() => {
    if (customerId === undefined) {
      setItems(emptyArPayment)
      setLines([])
      return undefined
    }
    let isCurrent = true
    void Promise.all([openInvoices(customerId), loadArPayment(customerId, unitId)]).then(([invoices, found]) => {
      if (!isCurrent) return
      setItems(found)
      const [bank] = found.ouBank
      const isByBank = store.values['Method'] === 'TRANSFER' || store.values['Method'] === 'VA'
      // A unit with one account of its own receives on it.
      if (isDraft && isByBank && found.ouBank.length === 1 && bank !== undefined && store.isEmpty('HouseBankID')) store.prefill({ HouseBankID: bank.ID, HouseBankCode: bank.Code, HouseBankName: bank.Name })
      const open = invoices.map((invoice) => lineOf(invoice, false))
      const known = new Set(open.map((line) => line.invoiceId))
      const gone = storedLines(stored.current.filter((line) => !known.has(line.InvoiceID)))
      setLines(takeLines(isDraft ? [...open, ...gone] : storedLines(stored.current), stored.current))
    })
    return () => {
      isCurrent = false
    }
  }, [customerId, recordId, isDraft, unitId, store, setItems])

  useEffect(() => {
    const part: SlotPart = {
      payload: () => ({ Lines: wireLines(latest.current.lines), ...(latest.current.account === undefined ? {} : mapPaymentAccount(latest.current.account)) }),
      problems: () => {
        setTried(true)
        return problemsOf(latest.current.lines, latest.current.items.reason, decimalOf(store.values['Amount']))
      },
      isDirty: () => JSON.stringify(wireLines(latest.current.lines)) !== JSON.stringify(wireLines(takeLines(latest.current.lines, stored.current))),
      draft: () => (latest.current.lines.some((line) => line.selected) ? wireLines(latest.current.lines) : undefined),
      restore: (draft) => {
        if (!Array.isArray(draft)) return
        stored.current = draft as readonly PaymentLine[]
        setLines((before) => takeLines(before, stored.current))
      },
      load: (record) => {
        stored.current = linesOf(record)
        setTried(false)
        setLines((before) => takeLines(before, stored.current))
      },
      focus: () => document.getElementById(`${id}-table`)?.querySelector<HTMLElement>('[aria-invalid="true"], input')?.focus(),
    }
    return session.register('payment-allocation', part)
  }, [session, store, id])

  return { customerId, amount, items, setItems, account: latest.current.account, lines, change, tried }
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
