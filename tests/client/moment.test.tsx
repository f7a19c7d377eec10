import fs from 'node:fs'
import path from 'node:path'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, test, vi } from 'vitest'
import { Moment } from '#client/app/Moment.tsx'
import { setCatalogues } from '#client/app/messages.ts'
import { saidClock, saidTime } from '#client/app/saidTime.ts'
import { sayTime } from '#client/schedule/schedules.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

test('a moment names the clock it is told by where the computer’s clock shows another time, and there only', () => {
  // Minutes Greenwich is ahead of Bangkok, Makassar and Lima.
  const drawn = [-420, -480, 300].map((offset) => {
    vi.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(offset)
    return renderToStaticMarkup(<Moment at="2026-11-21T16:59:59.999Z" />)
  })
  expect(drawn.map((html) => />([^<]*)</.exec(html)?.[1])).toEqual(['21/11/2026 23:59:59', '21/11/2026 23:59:59', '21/11/2026 23:59:59'])
  expect(drawn.map((html) => html.includes('title='))).toEqual([false, true, true])
})

const root = path.join(import.meta.dirname, '../..')
const every = { Every: 'DAY', Weekdays: [], MonthDay: 1, At: '07:00', Zone: 'Asia/Jakarta' } as const

test.each([
  ['en', '21/11/2026 23:59:59 Jakarta time', '23:59 Jakarta time', 'Every day at 07:00 Jakarta time'],
  ['cn', '雅加达时间 21/11/2026 23:59:59', '雅加达时间 23:59', '每天 雅加达时间 07:00'],
  ['id', '21/11/2026 23:59:59 WIB', '23:59 WIB', 'Setiap hari pukul 07:00 WIB'],
])('inside a sentence the clock is named in words, in %s, where this computer’s shows another time', (language, moment, clock, schedule) => {
  setCatalogues(JSON.parse(fs.readFileSync(path.join(root, `schemas/messages/${language}.json`), 'utf8')))
  const said = (offset: number) => {
    vi.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(offset)
    return [saidTime('2026-11-21T16:59:59.999Z'), saidClock('2026-11-21T16:59:59.999Z'), sayTime(every), saidTime('0001-01-01T00:00:00Z')]
  }
  expect(said(0)).toEqual([moment, clock, schedule, ''])
  expect(said(-420)).toEqual([...['21/11/2026 23:59:59', '23:59'], sayTime(every), ''])
  expect(sayTime(every)).not.toMatch(/Jakarta|雅加达|WIB/)
})

test('no sentence tells a moment without that: its bare text is for cells alone, which have a title', () => {
  const client = path.join(root, 'src/client')
  const bare = fs.readdirSync(client, { recursive: true, encoding: 'utf8' }).filter((name) => /\.tsx?$/.test(name) && /\bformatTime\(|, formatTime\b/.test(fs.readFileSync(path.join(client, name), 'utf8')))
  expect(bare.toSorted()).toEqual(['app/Moment.tsx', 'app/format.ts', 'app/saidTime.ts', 'table/cells.tsx'])
})
