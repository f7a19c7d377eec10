import { Fragment, useEffect, useLayoutEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import { formatNumber } from '../app/format.ts'
import { t } from '../app/messages.ts'
import { classes } from '../ui/classes.ts'
import { paginate, type PageCut } from './paginate.ts'
import { lengthOf, paperSizes, pixelsInMm, roomOf, type CopyMark, type Paper } from './papers.ts'
import css from './print.module.css'
import type { Sheet, SheetColumn, SheetRow } from './sheet.ts'

interface PagesProps {
  readonly sheet: Sheet
  readonly paper: Paper
  readonly marks: readonly CopyMark[]
  readonly isActualSize: boolean
  readonly label: string
  /** Its place among those printed together. */
  readonly at: number
  readonly onCount: (at: number, pages: number) => void
}

interface Cut {
  readonly pages: readonly PageCut[]
  /** Of each page, in millimetres. */
  readonly lengths: readonly number[]
}

/**
 * The document as it comes out of the printer: every page drawn, on the screen as on paper. The parts are measured once in their true size,
 * then cut into pages, so that numbers, heads and totals are where they are in every browser, and the PDF is what was seen.
 */
export function Pages({ sheet, paper, marks, isActualSize, label, at, onCount }: PagesProps) {
  const gauge = useRef<HTMLDivElement>(null)
  const [cut, setCut] = useState<Cut>()
  useLayoutEffect(() => {
    if (gauge.current !== null) setCut(cutOf(gauge.current, paper))
  }, [sheet, paper])
  usePageSizes(paper, cut?.lengths)
  const count = cut?.pages.length
  const copies = Math.max(1, marks.length)
  useEffect(() => {
    if (count !== undefined) onCount(at, count * copies)
  }, [count, copies, at, onCount])
  const desk = useRef<HTMLDivElement>(null)
  const zoom = useZoom(desk, paper, isActualSize)
  return (
    <div ref={desk} className={css['table']} role="region" tabIndex={0} aria-label={label}>
      <div ref={gauge} className={classes(css['page'], css[paper], css['gauge'])} aria-hidden="true" inert>
        <Parts sheet={sheet} />
      </div>
      {cut !== undefined && (
        <div className={css['stack']} style={{ zoom }}>
          {Array.from({ length: copies }, (_, copy) => (
            <Fragment key={copy}>
              {cut.pages.map((page, i) => (
                <Page key={i} sheet={sheet} paper={paper} cut={page} number={i + 1} count={cut.pages.length} mark={marks[copy]} length={cut.lengths[i] ?? 0} />
              ))}
            </Fragment>
          ))}
        </div>
      )}
    </div>
  )
}

/** All parts one below the other, each marked so that its height can be read. */
function Parts({ sheet }: { readonly sheet: Sheet }) {
  return (
    <>
      <div data-part="head" className={css['part']}>
        {sheet.head}
      </div>
      <div data-part="running" className={css['part']}>
        <Running sheet={sheet} />
      </div>
      <Rows columns={sheet.columns} rows={sheet.rows} />
      {sheet.tail.map((block, i) => (
        <div key={i} data-part="tail" className={css['part']}>
          {block}
        </div>
      ))}
    </>
  )
}

interface PageProps {
  readonly sheet: Sheet
  readonly paper: Paper
  readonly cut: PageCut
  readonly number: number
  readonly count: number
  readonly mark: CopyMark | undefined
  /** Millimetres. */
  readonly length: number
}

function Page({ sheet, paper, cut, number, count, mark, length }: PageProps) {
  const words = { page: formatNumber(number), pages: formatNumber(count) }
  return (
    <section className={classes(css['page'], css[paper])} style={{ height: `${length - 0.5}mm`, page: pageName(length) }} aria-label={t('ui.page-of', words)}>
      {/* Pale over the page, and in so many words in its foot. */}
      {sheet.stamp !== undefined && <div className={css['stamp']} data-stamp={sheet.stamp} aria-hidden="true" />}
      <div className={css['part']}>{number === 1 ? sheet.head : <Running sheet={sheet} />}</div>
      {cut.to > cut.from && <Rows columns={sheet.columns} rows={sheet.rows.slice(cut.from, cut.to)} />}
      {sheet.tail.slice(cut.tailFrom, cut.tailTo).map((block, i) => (
        <div key={cut.tailFrom + i} className={css['part']}>
          {block}
        </div>
      ))}
      <footer className={css['foot']}>
        <span>{sheet.code}</span>
        <strong>{[sheet.stamp ?? '', mark === undefined ? '' : t(`ui.print.mark.${mark}`)].filter((part) => part !== '').join(' · ')}</strong>
        <span>
          {words.page} / {words.pages}
        </span>
      </footer>
    </section>
  )
}

/** Says on every further page what it belongs to. */
function Running({ sheet }: { readonly sheet: Sheet }): ReactNode {
  return (
    <p className={css['running']}>
      <span>{sheet.issuer}</span>
      <strong>
        {sheet.title} {sheet.code}
      </strong>
    </p>
  )
}

function Rows({ columns, rows }: { readonly columns: readonly SheetColumn[]; readonly rows: readonly SheetRow[] }) {
  return (
    <table className={css['lines']}>
      <colgroup>
        {columns.map(({ title, width }) => (
          <col key={title} style={{ width: `${width}%` }} />
        ))}
      </colgroup>
      <thead>
        <tr data-part="tableHead">
          {columns.map(({ title, isNumber }) => (
            <th key={title} scope="col" className={isNumber === true ? css['number'] : undefined}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, cells }) => (
          <tr key={key} data-part="row">
            {cells.map((cell, i) => (
              // Cells are told apart by their column.
              <td key={i} colSpan={i === cells.length - 1 ? columns.length - i : 1} className={columns[i]?.isNumber === true ? css['number'] : undefined}>
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function cutOf(gauge: HTMLElement, paper: Paper): Cut {
  const heights = (part: string) => [...gauge.querySelectorAll(`[data-part="${part}"]`)].map((element) => element.getBoundingClientRect().height)
  const [head = 0, running = 0, tableHead = 0] = ['head', 'running', 'tableHead'].map((part) => heights(part)[0])
  const rows = heights('row')
  const tail = heights('tail')
  const pages = paginate({ page: roomOf(paper), head, running, tableHead, rows, tail })
  const sum = (parts: readonly number[]) => parts.reduce((total, part) => total + part, 0)
  const lengths = pages.map(({ from, to, tailFrom, tailTo }, i) =>
    lengthOf(paper, (i === 0 ? head : running) + (to > from ? tableHead : 0) + sum(rows.slice(from, to)) + sum(tail.slice(tailFrom, tailTo))),
  )
  return { pages, lengths }
}

/** Tells the browser the sizes of the pages: a strip of a roll is as long as what is on it. The margins are ours, on the page itself. */
function usePageSizes(paper: Paper, lengths: readonly number[] = []): void {
  const { width } = paperSizes[paper]
  const text = [...new Set(lengths)].map((length) => `@page ${pageName(length)} { size: ${width}mm ${length}mm; margin: 0 }`).join('\n')
  useEffect(() => {
    const rules = new CSSStyleSheet()
    rules.replaceSync(text)
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, rules]
    return () => {
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== rules)
    }
  }, [text])
}

/** Name under which CSS knows pages of this length. */
function pageName(length: number): string {
  return `sheet${length}`
}

/** As large as fits, never larger than the paper. */
function useZoom(desk: RefObject<HTMLElement | null>, paper: Paper, isActualSize: boolean): number {
  const [zoom, setZoom] = useState(1)
  useLayoutEffect(() => {
    const { current } = desk
    if (current === null || isActualSize) return setZoom(1)
    const fit = () => setZoom(Math.min(1, Math.floor((current.clientWidth / (paperSizes[paper].width * pixelsInMm)) * 100) / 100))
    const watch = new ResizeObserver(fit)
    watch.observe(current)
    fit()
    return () => watch.disconnect()
  }, [desk, paper, isActualSize])
  return zoom
}
