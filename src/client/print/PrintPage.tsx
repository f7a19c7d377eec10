import { useAtomValue } from 'jotai'
import { useCallback, useEffect, useMemo, useRef, useState, type RefObject } from 'react'
import { useNavigate, useSearchParams } from 'react-router-dom'
import type { WireRecord } from '#api/envelope.ts'
import type { HandPageProps } from '../app/pages.ts'
import { formatNumber } from '../app/format.ts'
import { useHistory } from '../app/historyContext.ts'
import { languageAtom, t } from '../app/messages.ts'
import { useUrlQuery } from '../app/urlQuery.ts'
import { afterPaint } from '../data/afterPaint.ts'
import { readRecord } from '../data/records.ts'
import { useAnswer } from '../data/useAnswer.ts'
import { readStored, writeStored } from '../form/storage.ts'
import type { Answer } from '../data/http.ts'
import { Button } from '../ui/Button.tsx'
import input from '../ui/input.module.css'
import { EmptyState, ErrorState, Skeleton } from '../ui/States.tsx'
import { factReader, type FactReader, type Facts } from './facts.ts'
import { printLayout } from './layouts.ts'
import { Pages } from './Pages.tsx'
import { copyChoices, papers, type CopyChoice, type Paper } from './papers.ts'
import css from './print.module.css'
import type { PrintLayout } from './sheet.ts'

/** Stored documents on paper, one by its path or several by `ids`: which paper, which copies, how they will come out, and the way to the printer or into a PDF. */
export function PrintPage({ params, print = '' }: HandPageProps) {
  const [query] = useSearchParams()
  const navigate = useNavigate()
  const ids = idsIn(params['id'] ?? query.get('ids') ?? '')
  const language = useAtomValue(languageAtom)
  const isPossible = ids.length > 0 && ids.length <= mostPrinted
  const { value, problem, reload } = useAnswer(`${print} ${ids.join(',')}`, (signal) => (isPossible ? readDocuments(print, ids, signal) : new Promise<never>(() => undefined)))
  const [first, ...others] = value?.documents ?? []
  const code = first?.record['Code']
  const more = others.length
  useEffect(() => {
    if (typeof code !== 'string') return undefined
    // The file name a browser proposes when it prints into a file; said after the page's own title.
    return afterPaint(() => {
      document.title = `${code.replaceAll('/', '-')}${more > 0 ? ` +${more}` : ''}`
    })
  }, [code, more])
  if (!isPossible) {
    return (
      <div className={css['desk']}>
        <EmptyState icon="print" title={t(ids.length === 0 ? 'ui.print.nothing' : 'ui.print.too-many', { n: formatNumber(ids.length), most: formatNumber(mostPrinted) })}>
          <p className={css['hint']}>{t('ui.print.choose')}</p>
          <Button onClick={() => void navigate(-1)}>{t('ui.back')}</Button>
        </EmptyState>
      </div>
    )
  }
  if (problem !== undefined) return <ErrorState title={t('ui.print.notLoaded')} text={problem.text} onRetry={reload} />
  return value === undefined ? (
    <div className={css['desk']}>
      <Skeleton lines={12} />
    </div>
  ) : (
    // Another language lays the words out anew.
    <PrintDesk key={language} name={print} {...value} />
  )
}

/** More documents at once than this keep a browser busy for longer than anybody waits. */
const mostPrinted = 100

/** `12` or `12,15,9`: each once, in their order. */
function idsIn(text: string): readonly number[] {
  return [...new Set(text.split(',').map(Number))].filter((id) => Number.isInteger(id) && id > 0)
}

/** A document with what stands around it. */
export interface PrintDocument {
  readonly record: WireRecord
  readonly facts: Facts
}

interface Printing {
  readonly layout: PrintLayout
  readonly documents: readonly PrintDocument[]
}

/** So many documents are asked for at the same time. */
const atOnce = 4

/** All of them or none: whoever prints a batch must not have to find out which one is missing. */
async function readDocuments(print: string, ids: readonly number[], signal: AbortSignal): Promise<Answer<Printing>> {
  const load = printLayout(print)
  if (load === undefined) throw new Error(`There is no print layout "${print}"`)
  const layout = await load()
  const documents: PrintDocument[] = []
  const readFacts = factReader()
  for (let at = 0; at < ids.length; at += atOnce) {
    const answers = await Promise.all(ids.slice(at, at + atOnce).map((id) => readDocument(layout, id, readFacts, signal)))
    for (const answer of answers) {
      if (!answer.ok) return answer
      documents.push(answer.value)
    }
  }
  return { ok: true, value: { layout, documents } }
}

async function readDocument(layout: PrintLayout, id: number, readFacts: FactReader, signal: AbortSignal): Promise<Answer<PrintDocument>> {
  const answer = await readRecord(layout.resource, id, signal)
  if (!answer.ok) return answer
  const { record } = answer.value
  const facts = await readFacts(record, layout)
  return facts.ok ? { ok: true, value: { record, facts: facts.value } } : facts
}

/** There is no heading to arrive at beside a paper: from another page of the program the focus goes to what one has come for, unless it is somewhere already. */
function useArrivalAt(button: RefObject<HTMLButtonElement | null>): void {
  const history = useHistory()
  useEffect(() => {
    if (history.place().action !== 'POP' && document.activeElement === document.body) button.current?.focus({ preventScroll: true })
  }, [history, button])
}

/** The documents with what can be chosen about their printing. Paper and copies are in the address and remembered for the layout. */
export function PrintDesk({ name, layout, documents }: Printing & { readonly name: string }) {
  const navigate = useNavigate()
  const printing = useRef<HTMLButtonElement>(null)
  useArrivalAt(printing)
  const [query, setQuery] = useUrlQuery()
  const key = `print:${name}`
  const known = { ...stored(key), ...Object.fromEntries(query) }
  const paper: Paper = papers.find((one) => one === known['paper']) ?? 'a4'
  const choices = Object.keys(copyChoices).filter((one): one is CopyChoice => Object.hasOwn(copyChoices, one))
  const copies = choices.find((one) => one === known['copies']) ?? (layout.hasMarks ? 'original' : 'none')
  const [isActualSize, setActualSize] = useState(false)
  const [counts, setCounts] = useState<readonly number[]>([])
  const sheets = useMemo(() => documents.map(({ record, facts }) => layout.lay(record, facts, paper)), [layout, documents, paper])
  const count = sheets.reduce((sum, _, i) => sum + (counts[i] ?? 0), 0)
  const setCount = useCallback((at: number, pages: number) => setCounts((before) => Object.assign([...before], { [at]: pages })), [])
  const choose = (change: { readonly paper?: Paper; readonly copies?: CopyChoice }) => {
    writeStored(key, { paper, copies, ...change })
    setQuery(change, { replace: true })
  }
  return (
    <div className={css['desk']}>
      <div className={css['bar']} role="toolbar" aria-label={t('ui.print.print')}>
        <Button onClick={() => void navigate(-1)}>{t('ui.back')}</Button>
        <label className={css['choice']}>
          {t('ui.print.paper')}
          <select className={input['input']} value={paper} onChange={(event) => choose({ paper: papers.find((one) => one === event.target.value) ?? 'a4' })}>
            {papers.map((one) => (
              <option key={one} value={one}>
                {t(`ui.print.paper.${one}`)}
              </option>
            ))}
          </select>
        </label>
        <label className={css['choice']}>
          {t('ui.print.copies')}
          <select className={input['input']} value={copies} onChange={(event) => choose({ copies: choices.find((one) => one === event.target.value) ?? 'none' })}>
            {choices.map((one) => (
              <option key={one} value={one}>
                {t(`ui.print.copies.${one}`)}
              </option>
            ))}
          </select>
        </label>
        <Button aria-pressed={isActualSize} onClick={() => setActualSize(!isActualSize)}>
          {t('ui.print.actualSize')}
        </Button>
        <span className={css['count']} role="status">
          {sheets.length > 1 && `${t('ui.print.documents', { count: formatNumber(sheets.length) })} · `}
          {t('ui.print.pages', { count: formatNumber(count) })}
        </span>
        <Button ref={printing} look="primary" icon="print" title={t('ui.print.pdfHint')} onClick={() => window.print()}>
          {t('ui.print.print')}
        </Button>
      </div>
      {documents.some(({ facts }) => facts.areBanksHidden) && (
        <p className={css['warning']} role="note">
          {t('ui.print.no-banks')}
        </p>
      )}
      {sheets.map((sheet, i) => (
        <Pages
          key={`${paper} ${i}`}
          sheet={sheet}
          label={sheets.length > 1 ? `${t('ui.print.sheet')} ${sheet.code}` : t('ui.print.sheet')}
          paper={paper}
          marks={copyChoices[copies]}
          isActualSize={isActualSize}
          at={i}
          onCount={setCount}
        />
      ))}
    </div>
  )
}

function stored(key: string): Readonly<Record<string, string>> {
  const found = readStored(key)
  return typeof found === 'object' && found !== null ? Object.fromEntries(Object.entries(found).filter((entry): entry is [string, string] => typeof entry[1] === 'string')) : {}
}
