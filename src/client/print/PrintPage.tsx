import { useAtomValue } from 'jotai'
import { useEffect, useMemo, useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router-dom'
import type { WireRecord } from '#api/envelope.ts'
import type { HandPageProps } from '../app/pages.ts'
import { formatNumber } from '../app/format.ts'
import { languageAtom, t } from '../app/messages.ts'
import { readRecord } from '../data/records.ts'
import { useAnswer } from '../data/useAnswer.ts'
import { readStored, writeStored } from '../form/storage.ts'
import type { Answer } from '../data/http.ts'
import { Button } from '../ui/Button.tsx'
import input from '../ui/input.module.css'
import { ErrorState, Skeleton } from '../ui/States.tsx'
import { readFacts, type Facts } from './facts.ts'
import { printLayout } from './layouts.ts'
import { Pages } from './Pages.tsx'
import { copyChoices, papers, type CopyChoice, type Paper } from './papers.ts'
import css from './print.module.css'
import type { PrintLayout } from './sheet.ts'

/** A stored document on paper: which paper, which copies, how it will come out, and the way to the printer or into a PDF. */
export function PrintPage({ params, print = '' }: HandPageProps) {
  const id = Number(params['id'])
  const language = useAtomValue(languageAtom)
  const { value, problem, reload } = useAnswer(`${print} ${id}`, (signal) => readDocument(print, id, signal))
  const code = value?.record['Code']
  useEffect(() => {
    // The file name a browser proposes when it prints into a file.
    if (typeof code === 'string') document.title = code.replaceAll('/', '-')
  }, [code])
  if (problem !== undefined) return <ErrorState title={t('ui.print.notLoaded')} text={problem.text} onRetry={reload} />
  return value === undefined ? (
    <main className={css['desk']}>
      <Skeleton lines={12} />
    </main>
  ) : (
    // Another language lays the words out anew.
    <PrintDesk key={language} name={print} {...value} />
  )
}

/** What a page needs of a document to put it on paper. */
export interface PrintDocument {
  readonly layout: PrintLayout
  readonly record: WireRecord
  readonly facts: Facts
}

async function readDocument(print: string, id: number, signal: AbortSignal): Promise<Answer<PrintDocument>> {
  const load = printLayout(print)
  if (load === undefined) throw new Error(`There is no print layout "${print}"`)
  const layout = await load()
  const answer = await readRecord(layout.resource, id, signal)
  if (!answer.ok) return answer
  const { record } = answer.value
  const facts = await readFacts(record, layout.hasBanks)
  return facts.ok ? { ok: true, value: { layout, record, facts: facts.value } } : facts
}

/** The document with what can be chosen about its printing. Paper and copies are in the address and remembered for the layout. */
export function PrintDesk({ name, layout, record, facts }: PrintDocument & { readonly name: string }) {
  const navigate = useNavigate()
  const [query, setQuery] = useSearchParams()
  const key = `print:${name}`
  const known = { ...stored(key), ...Object.fromEntries(query) }
  const paper: Paper = papers.find((one) => one === known['paper']) ?? 'a4'
  const choices = Object.keys(copyChoices).filter((one): one is CopyChoice => Object.hasOwn(copyChoices, one))
  const copies = choices.find((one) => one === known['copies']) ?? (layout.hasMarks ? 'original' : 'none')
  const [isActualSize, setActualSize] = useState(false)
  const [count, setCount] = useState(0)
  const sheet = useMemo(() => layout.lay(record, facts, paper), [layout, record, facts, paper])
  const choose = (change: { readonly paper?: Paper; readonly copies?: CopyChoice }) => {
    writeStored(key, { paper, copies, ...change })
    const next = new URLSearchParams(query)
    for (const [part, choice] of Object.entries(change)) next.set(part, choice)
    setQuery(next, { replace: true })
  }
  return (
    <main className={css['desk']}>
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
          {t('ui.print.pages', { count: formatNumber(count) })}
        </span>
        <Button look="primary" icon="print" title={t('ui.print.pdfHint')} onClick={() => window.print()}>
          {t('ui.print.print')}
        </Button>
      </div>
      <Pages key={paper} sheet={sheet} paper={paper} marks={copyChoices[copies]} isActualSize={isActualSize} onCount={setCount} />
    </main>
  )
}

function stored(key: string): Readonly<Record<string, string>> {
  const found = readStored(key)
  return typeof found === 'object' && found !== null ? Object.fromEntries(Object.entries(found).filter((entry): entry is [string, string] => typeof entry[1] === 'string')) : {}
}
