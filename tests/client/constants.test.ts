import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import {
  breakpoints, cookieDays, dateFormat, defaultPageSize, errorToastMs, loadingEndsMs, mainPageSizes, moneyPlaces, otherPageSizes, searchDelayMs, starLimit, successToastMs, timeFormat,
} from '#client/app/constants.ts'

/** Numbers in a sentence of the specification. */
const numbersIn = (sentence: string): readonly number[] => [...sentence.matchAll(/\d+/g)].map(Number)

const sentences: readonly (readonly [sentence: string, values: readonly number[]])[] = [
  ['Login cookie lifetime: 7 days. All cookies last 7 days.', [cookieDays, cookieDays]],
  ['Login success toast 3500 ms; error toast 2500 ms; the loading animation closes after 2 s.', [successToastMs, errorToastMs, loadingEndsMs / 1000]],
  ['Starred pages: the first 10 are kept in the limited list.', [starLimit]],
  ['Responsive breakpoints: 576, 768, 992 and 1200 px.', [...breakpoints]],
  ['Default table page size: 5. Main table limits: 5, 10, 25, 50, 100. Other tables add 250, 1000 and All.', [defaultPageSize, ...mainPageSizes, ...otherPageSizes.slice(mainPageSizes.length)]],
  ['Search debounce: 700 ms.', [searchDelayMs]],
  ['Money: precision 2', [moneyPlaces]],
]

it.each(sentences)('%s', (sentence, values) => {
  expect(values).toEqual(numbersIn(sentence))
})

it('Default date format DD/MM/YYYY; timestamps DD/MM/YYYY HH:mm:ss.', () => {
  expect([dateFormat, timeFormat]).toEqual(['DD/MM/YYYY', 'DD/MM/YYYY HH:mm:ss'])
})

it('Default theme light, primary color #7367F0.', () => {
  const tokens = fs.readFileSync('src/client/ui/tokens.css', 'utf8')
  expect(tokens).toContain('--brand: #7367f0;')
  expect(fs.readFileSync('src/client/index.html', 'utf8')).toContain('data-theme="light"')
})

it('style sheets and components change their layout at these widths alone', () => {
  const widths = filesIn('src/client')
    .filter((file) => /\.(css|tsx?)$/.test(file) && !file.endsWith('print.module.css'))
    .flatMap((file) => [...fs.readFileSync(file, 'utf8').matchAll(/\((?:width\s*<=?\s*|max-width:\s*|width\s*>=?\s*|min-width:\s*)(\d+)px\)/g)].map((match) => `${match[0]} ${path.relative('src/client', file)}`))
  // `max-width: 575px` is the pixel below 576.
  const strange = widths.filter((use) => !breakpoints.some((width) => use.includes(`${width}px`) || use.startsWith(`(max-width: ${width - 1}px`)))
  expect(widths.length).toBeGreaterThan(10)
  expect(strange).toEqual([])
})

function filesIn(folder: string): readonly string[] {
  return fs.readdirSync(folder, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? filesIn(path.join(folder, entry.name)) : [path.join(folder, entry.name)]))
}
