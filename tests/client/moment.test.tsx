import { renderToStaticMarkup } from 'react-dom/server'
import { afterEach, expect, test, vi } from 'vitest'
import { Moment } from '#client/app/Moment.tsx'

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
