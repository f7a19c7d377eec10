import { memo, Suspense, useCallback, useContext, useEffect, useId, useMemo, useRef, useState, type ClipboardEvent, type KeyboardEvent } from 'react'
import { compare, exact, money } from '#base/decimal.ts'
import { loadChunk } from '../../app/chunks.ts'
import { formatDate, formatMoney, today } from '../../app/format.ts'
import { lazy } from '../../app/lazy.tsx'
import { t } from '../../app/messages.ts'
import { notify } from '../../app/toasts.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Button, IconButton } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'
import input from '../../ui/input.module.css'
import { useAtRest } from '../../ui/pointer.ts'
import { EmptyState, ErrorState, Skeleton } from '../../ui/States.tsx'
import { say } from '../../form/message.ts'
import {
  balance,
  checkLine,
  isShort,
  lineOf,
  takeLines,
  usedOfCredit,
  withCredit,
  type AllocationLine,
  type Balance,
  type Lines,
} from './allocation.ts'
import { creditChoices, isShown, type ArPaymentFilter } from './arPayment.ts'
import { invoicesByCode, propose } from './openItems.ts'
import { PaymentFilter } from './PaymentFilter.tsx'
import { decimalOf, useAllocation } from './useAllocation.ts'
import { EntriesContext, HeldNumber, HeldText } from './entries.tsx'
import { Extras } from './Extras.tsx'
import css from './PaymentAllocation.module.css'
import type { SlotProps } from '../../slots/slots.ts'
import type * as Pasting from './pasteAllocation.ts'
import type { Told } from './PastedNote.tsx'

type PastePart = Pick<typeof Pasting, 'pasteInvoices'>

const PastedNote = lazy(() => import('./PastedNote.tsx').then((module) => ({ default: module.PastedNote })))

/**
 * Open invoices of the customer of a receipt: each selected one is paid in full until typed otherwise; less asks for a reason. Credit
 * notes, deposits and deductions hang on an invoice. The bar below keeps the identity in view that the server will check.
 */
export function PaymentAllocation({ session, readOnly }: SlotProps) {
  const id = useId()
  const { customerId, amount, items, setItems, account, lines, change, tried, entries, refusal, retry } = useAllocation(session, id)
  const totals = useMemo(() => balance(amount, lines), [amount, lines])
  const [pasted, setPasted] = useState<Told>()
  // The box of an invoice that is ticked is another one than before, and a button that has been pressed may be gone: keys go on here.
  const goOn = useRef('')
  useEffect(() => {
    if (goOn.current !== '' && document.activeElement === document.body) document.getElementById(goOn.current)?.focus()
    goOn.current = ''
  }, [lines])
  if (customerId === undefined) return <EmptyState title={t('ui.payment.chooseCustomer')} icon="receipt" />
  if (refusal !== undefined) return <ErrorState title={t('ui.payment.notRead')} text={refusal} onRetry={retry} />
  if (items.customer !== customerId) return <Skeleton lines={5} />
  const shown = lines.filter((line) => isShown(line, items))
  const undo = () => {
    if (pasted?.after !== lines) return
    change(() => pasted.before)
    setPasted(undefined)
    goOn.current = `${id}-code`
  }
  const onPaste = (event: ClipboardEvent) => {
    const text = event.clipboardData.getData('text/plain')
    // Several cells are no number of one invoice, and no amount.
    if (readOnly || lines.length === 0 || !/[\t\r\n]/.test(text.trim())) return
    const box = event.target instanceof HTMLElement ? event.target.id : ''
    if (box !== `${id}-code` && !box.startsWith(`${id}-paid-`)) return
    event.preventDefault()
    event.stopPropagation()
    const from = shown.findIndex((line) => box === `${id}-paid-${line.invoiceId}`)
    const take = ({ pasteInvoices }: PastePart): void => {
      // Another customer may have been chosen meanwhile; what has been entered meanwhile stays.
      if (Number(session.store.values['CustomerID']) !== customerId) return
      change((before) => {
        const { lines: after, ...told } = pasteInvoices(before, text, from < 0 ? [] : shown.slice(from).map((line) => line.invoiceId))
        setPasted({ ...told, customerId, before, after })
        return after
      })
      goOn.current = box
    }
    void loadChunk(() => import('./pasteAllocation.ts')).then(take, () => notify({ tone: 'error', text: t('ui.chunk.failed.text') }))
  }
  return (
    <EntriesContext value={entries}>
      <div
        className={css['allocation']}
        onPasteCapture={onPaste}
        onKeyDown={(event) => {
          if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.key.toLowerCase() !== 'z' || pasted?.after !== lines) return
          event.preventDefault()
          undo()
        }}
      >
        {!readOnly && <Tools id={id} session={session} customerId={customerId} isEmpty={lines.length === 0} onChange={change} />}
        {!readOnly && lines.length > 0 && <PaymentFilter filter={items} shown={shown.length} all={lines.length} account={account} onChange={(changed) => setItems({ ...items, ...changed })} />}
        {!readOnly && <Credits items={items} lines={lines} />}
        {pasted?.customerId === customerId && (
          <Suspense>
            <PastedNote told={pasted} onUndo={pasted.after === lines ? undo : undefined} onClose={() => setPasted(undefined)} />
          </Suspense>
        )}
        {lines.length === 0 ? <EmptyState title={t('ui.payment.noInvoices')} icon="receipt" /> : <Invoices id={id} lines={shown} items={items} readOnly={readOnly} tried={tried} onChange={change} />}
        <Identity totals={totals} />
      </div>
    </EntriesContext>
  )
}

type Change = (next: (before: Lines) => Lines) => void

interface ToolsProps {
  readonly id: string
  readonly session: SlotProps['session']
  readonly customerId: number
  readonly isEmpty: boolean
  readonly onChange: Change
}

/** Invoices named by their number, and a proposal of the server for all of them. */
function Tools({ id, session, customerId, isEmpty, onChange }: ToolsProps) {
  const { store } = session
  const [code, setCode] = useState('')
  const [added, setAdded] = useState<{ readonly id: number }>()
  const [proposing, setProposing] = useState(false)
  const [withDeposits, setWithDeposits] = useState(false)

  const addByCode = async () => {
    if (code.trim() === '') return
    const isStill = () => {
      const box = document.getElementById(`${id}-code`)
      return box instanceof HTMLInputElement && box.value === code
    }
    const answer = await invoicesByCode(code.trim(), customerId)
    if (!answer.ok) return void notify({ tone: 'error', text: answer.problem.text })
    const [invoice] = answer.value.invoices
    if (invoice === undefined) return void notify({ tone: 'error', text: t('ui.payment.invoiceNotFound') })
    onChange((before) =>
      before.some((line) => line.invoiceId === invoice.ID)
        ? before.map((line) => (line.invoiceId === invoice.ID ? { ...line, selected: true } : line))
        : [...before, lineOf(invoice, true)],
    )
    // Whoever is typing the next number already goes on typing it.
    if (!isStill()) return
    setCode('')
    setAdded({ id: invoice.ID })
  }
  // Once it is drawn: the box of an invoice that is ticked is another one than before.
  useEffect(() => {
    if (added !== undefined) document.getElementById(`${id}-paid-${added.id}`)?.focus()
  }, [added, id])

  const autoAllocate = async () => {
    await store.flush()
    setProposing(true)
    const answer = await propose({
      CustomerID: customerId,
      Amount: decimalOf(store.values['Amount']),
      ...(['TRANSFER', 'VA'].includes(String(store.values['Method'])) && typeof store.values['HouseBankID'] === 'number' ? { HouseBankID: store.values['HouseBankID'] } : {}),
      UseCreditNotes: true,
      UseDeposits: withDeposits,
    })
    setProposing(false)
    if (!answer.ok) return void notify({ tone: 'error', text: answer.problem.text })
    onChange((before) => takeLines(before, answer.value.Lines))
  }

  return (
    <div className={css['bar']}>
      <form
        className={css['code']}
        onSubmit={(event) => {
          event.preventDefault()
          event.stopPropagation()
          void addByCode()
        }}
      >
        <input
          id={`${id}-code`}
          className={input['input']}
          aria-label={t('ui.payment.invoiceCode')}
          placeholder={t('ui.payment.invoiceCodes')}
          value={code}
          onChange={(event) => setCode(event.target.value)}
        />
        <Button type="submit">{t('ui.payment.add')}</Button>
      </form>
      <label className={css['check']}>
        <input type="checkbox" className={input['check']} checked={withDeposits} onChange={(event) => setWithDeposits(event.target.checked)} />
        {t('ui.payment.useDeposits')}
      </label>
      <Button onClick={() => void autoAllocate()} busy={proposing} disabled={isEmpty}>
        {t('ui.payment.auto')}
      </Button>
    </div>
  )
}

interface InvoicesProps {
  readonly id: string
  readonly lines: Lines
  readonly items: ArPaymentFilter
  readonly readOnly: boolean
  readonly tried: boolean
  readonly onChange: Change
}

function Invoices({ id, lines, items, readOnly, tried, onChange }: InvoicesProps) {
  const [opened, setOpened] = useState<ReadonlySet<number>>(new Set())
  const edit = useCallback(
    (invoiceId: number, values: (before: AllocationLine) => Partial<AllocationLine>) =>
      onChange((before) => before.map((line) => (line.invoiceId === invoiceId ? { ...line, ...values(line) } : line))),
    [onChange],
  )
  const addCredit = useCallback((invoiceId: number) => onChange((before) => withCredit(before, invoiceId, creditChoices(items))), [onChange, items])
  const toggle = useCallback((invoiceId: number) => {
    setOpened((before) => {
      const next = new Set(before)
      if (!next.delete(invoiceId)) next.add(invoiceId)
      return next
    })
  }, [])

  return (
    <div className={css['scroll']}>
      <table id={`${id}-table`} className={css['table']} onKeyDown={(event) => walk(event, id, lines)}>
        <thead>
          <tr>
            <th scope="col">
              <input
                type="checkbox"
                className={input['check']}
                aria-label={t('ui.payment.selectAll')}
                disabled={readOnly}
                checked={lines.length > 0 && lines.every((line) => line.selected)}
                onChange={(event) => {
                  const selected = event.target.checked
                  const meant = new Set(lines.map((line) => line.invoiceId))
                  onChange((before) => before.map((line) => (meant.has(line.invoiceId) ? { ...line, selected } : line)))
                }}
              />
            </th>
            <th scope="col">{t('field.invoice_id')}</th>
            <th scope="col" className={css['spare']}>
              {t('field.due_date')}
            </th>
            <th scope="col" className={`${css['number']} ${css['spare']}`}>
              {t('field.total')}
            </th>
            <th scope="col" className={css['number']}>
              {t('field.remaining')}
            </th>
            <th scope="col" className={css['number']}>
              {t('ui.payment.paid')}
            </th>
            <th scope="col">{t('ui.payment.reason')}</th>
            <th scope="col">
              <span className="visually-hidden">{t('ui.more')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <InvoiceLine
              key={line.invoiceId}
              id={id}
              line={line}
              items={items}
              readOnly={readOnly}
              opened={opened.has(line.invoiceId)}
              tried={tried}
              onEdit={edit}
              onAddCredit={addCredit}
              onToggle={toggle}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Up and down the column, Enter as a spreadsheet has it. */
function walk(event: KeyboardEvent, id: string, lines: Lines): void {
  const { key, target, altKey, ctrlKey, metaKey, shiftKey } = event
  const box = target instanceof HTMLInputElement ? lines.flatMap(({ invoiceId }, at) => ['paid', 'tick'].flatMap((part) => (target.id === `${id}-${part}-${invoiceId}` ? [{ part, at }] : [])))[0] : undefined
  const step = key === 'ArrowDown' ? 1 : key === 'ArrowUp' ? -1 : key === 'Enter' && box?.part === 'paid' ? (shiftKey ? -1 : 1) : 0
  const next = box === undefined || step === 0 || altKey || ctrlKey || metaKey ? undefined : lines[box.at + step]
  if (box === undefined || next === undefined) return
  event.preventDefault()
  const to = document.getElementById(`${id}-${box.part}-${next.invoiceId}`)
  to?.focus()
  if (to instanceof HTMLInputElement && box.part === 'paid') to.select()
}

interface InvoiceLineProps {
  readonly id: string
  readonly line: AllocationLine
  readonly items: ArPaymentFilter
  readonly readOnly: boolean
  readonly opened: boolean
  readonly tried: boolean
  readonly onEdit: (invoiceId: number, values: (before: AllocationLine) => Partial<AllocationLine>) => void
  readonly onAddCredit: (invoiceId: number) => void
  readonly onToggle: (invoiceId: number) => void
}

const InvoiceLine = memo(function InvoiceLine({ id, line, items, readOnly, opened, tried, onEdit, onAddCredit, onToggle }: InvoiceLineProps) {
  const problems = tried ? checkLine(line, items.reason) : {}
  const { unread } = useContext(EntriesContext)
  const set = (values: Partial<AllocationLine>) => onEdit(line.invoiceId, () => values)
  const short = line.selected && isShort(line)
  const overdue = !readOnly && line.dueDate !== '' && line.dueDate < today()
  const extras = line.credits.length + line.deductions.length
  const detailId = `${id}-detail-${line.invoiceId}`
  const [paidId, noteId, detailPrefix] = [`${id}-paid-${line.invoiceId}`, `${id}-note-${line.invoiceId}`, `${detailId}-`]
  const said = [...Object.keys(unread).flatMap((box) => (box === paidId || box === noteId || box.startsWith(detailPrefix) ? [unread[box]] : [])), ...Object.values(problems)].filter((message) => message !== undefined)
  const told = useAtRest(said.map((message) => say(message, t)).join(' '))
  // What stands in its boxes and could not be read must not go out of sight, and with it be forgotten.
  const isUnreadInside = Object.keys(unread).some((box) => box.startsWith(detailPrefix))
  const isOpen = line.selected && (opened || isUnreadInside)
  return (
    <>
      <tr className={line.selected ? css['selected'] : undefined}>
        <td>
          <input
            id={`${id}-tick-${line.invoiceId}`}
            type="checkbox"
            className={input['check']}
            aria-label={t('ui.payment.select', { code: line.code })}
            disabled={readOnly}
            checked={line.selected}
            onChange={(event) => set({ selected: event.target.checked })}
          />
        </td>
        <td className={css['codeCell']}>{line.code}</td>
        <td className={css['spare']}>
          {formatDate(line.dueDate)} {overdue && <Badge tone="warning">{t('ui.payment.overdue')}</Badge>}
        </td>
        <td className={`${css['number']} ${css['spare']}`}>{formatMoney(line.total)}</td>
        <td className={classes(css['number'], css['open'])} data-label={t('field.remaining')}>
          {line.currency === undefined ? '' : `${line.currency} `}
          {formatMoney(line.remaining)}
        </td>
        <td className={css['entry']} data-label={t('ui.payment.paid')}>
          <HeldNumber
            // Nothing that was typed stays in the box of an invoice taken out of the receipt.
            key={String(line.selected)}
            id={paidId}
            type="money"
            value={line.selected ? line.paid : ''}
            ariaLabel={t('ui.payment.paidFor', { code: line.code })}
            readOnly={readOnly}
            invalid={problems.paid !== undefined}
            describedBy={`${detailId}-problem`}
            max={line.remaining}
            onChange={(paid) => {
              set({ paid, selected: true })
              // The reason appears only now; Tab has already gone past its place.
              if (compare(paid, line.remaining) < 0) requestAnimationFrame(() => document.getElementById(`${id}-reason-${line.invoiceId}`)?.focus())
            }}
          />
        </td>
        <td className={css['reason']}>
          {short && (
            <>
              <select
                id={`${id}-reason-${line.invoiceId}`}
                className={input['input']}
                aria-label={t('ui.payment.reasonFor', { code: line.code })}
                disabled={readOnly}
                aria-invalid={problems.reason !== undefined || undefined}
                aria-describedby={`${detailId}-problem`}
                value={line.reasonId ?? ''}
                onChange={(event) => set({ reasonId: event.target.value === '' ? null : Number(event.target.value) })}
              >
                <option value="">{t('ui.choose')}</option>
                {line.reasonId !== null && !items.reason.some(({ ID }) => ID === line.reasonId) && <option value={line.reasonId}>{line.reasonName}</option>}
                {items.reason.map((reason) => (
                  <option key={reason.ID} value={reason.ID}>
                    {reason.Code} {reason.Name}
                  </option>
                ))}
              </select>
              <HeldText
                id={noteId}
                value={line.reasonText}
                ariaLabel={t('ui.payment.noteFor', { code: line.code })}
                readOnly={readOnly}
                invalid={problems.reasonText !== undefined}
                describedBy={`${detailId}-problem`}
                longest={255}
                onChange={(reasonText) => set({ reasonText })}
              />
            </>
          )}
        </td>
        <td>
          {line.selected && (
            <IconButton
              icon={isOpen ? 'up' : 'plus'}
              label={t('ui.payment.creditsFor', { code: line.code })}
              aria-expanded={isOpen}
              aria-controls={detailId}
              onClick={() => !isUnreadInside && onToggle(line.invoiceId)}
            />
          )}
          {extras > 0 && !isOpen && <span className={css['extras']}>{extras}</span>}
        </td>
      </tr>
      {told !== '' && (
        <tr className={css['said']}>
          <td />
          <td colSpan={7} id={`${detailId}-problem`} className={css['problem']}>
            {told}
          </td>
        </tr>
      )}
      {isOpen && (
        <tr id={detailId} className={css['detail']}>
          <td />
          <td colSpan={7}>
            <Extras id={detailId} line={line} items={items} readOnly={readOnly} onChange={(values) => onEdit(line.invoiceId, values)} onAddCredit={() => onAddCredit(line.invoiceId)} />
          </td>
        </tr>
      )}
    </>
  )
})

/** Credit notes and deposits of the customer with what is left of each. */
function Credits({ items, lines }: { readonly items: ArPaymentFilter; readonly lines: Lines }) {
  const all = creditChoices(items)
  if (all.length === 0) return null
  return (
    <p className={css['credits']}>
      <span>{t('ui.payment.available')}</span>
      {all.map(({ source, option }) => (
        <span key={`${source}${option.ID}`}>
          {option.Code} <strong>{formatMoney(money(exact(option.Remaining).minus(usedOfCredit(lines, source, option.ID))))}</strong>
        </span>
      ))}
    </p>
  )
}

/** amount + credits + deductions = paid + unapplied, with the difference. */
function Identity({ totals }: { readonly totals: Balance }) {
  const sign = compare(totals.difference, '0')
  return (
    <dl className={css['identity']} aria-live="polite">
      <Sum label={t('ui.payment.amount')} value={totals.amount} />
      <Sum label={t('ui.payment.creditNotes')} value={totals.creditNotes} sign="+" />
      <Sum label={t('ui.payment.deposits')} value={totals.deposits} sign="+" />
      <Sum label={t('ui.payment.deductions')} value={totals.deductions} sign="+" />
      <Sum label={t('ui.payment.paid')} value={totals.paid} sign="−" />
      <div className={classes(css['difference'], sign < 0 && css['missing'], sign === 0 && css['even'])}>
        <dt>{t(sign < 0 ? 'ui.payment.missing' : sign > 0 ? 'ui.payment.unapplied' : 'ui.payment.difference')}</dt>
        <dd>{formatMoney(totals.difference)}</dd>
      </div>
    </dl>
  )
}

function Sum({ label, value, sign }: { readonly label: string; readonly value: string; readonly sign?: string }) {
  return (
    <div>
      <dt>
        {sign !== undefined && <span aria-hidden="true">{sign} </span>}
        {label}
      </dt>
      <dd>{formatMoney(value)}</dd>
    </div>
  )
}
