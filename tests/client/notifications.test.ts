import { describe, expect, it } from 'vitest'
import { setCatalogues } from '#client/app/messages.ts'
import { parseEvent } from '#client/notifications/eventStream.ts'
import { ago, sentenceOf } from '#client/notifications/sentence.ts'
import { readCatalogue } from '../../scripts/schemas/catalogue.ts'
import { root } from '../../scripts/schemas/readSources.ts'

describe('a block of the stream', () => {
  it('is an event, or a heartbeat, or nothing one can use', () => {
    expect(parseEvent('event: state\ndata: {"unread":2,"latest":7}')).toEqual({ event: 'state', data: { unread: 2, latest: 7 } })
    expect(parseEvent(': beat')).toBeUndefined()
    expect(parseEvent('event: state')).toBeUndefined()
    expect(parseEvent('event: state\ndata: {"unread":')).toBeUndefined()
  })
})

describe('a notification', () => {
  it('is said in the reader’s language, documents by their name', () => {
    const asked = { Title: 'notification.approval-asked', Params: { document: 'sales_order', code: 'SO/JKT/2611/00012', by: 'Sari' } }
    setCatalogues(readCatalogue(root, 'en'))
    expect(sentenceOf(asked)).toBe('Sales order SO/JKT/2611/00012 waits for your approval.')
    setCatalogues(readCatalogue(root, 'en'), readCatalogue(root, 'id'))
    expect(sentenceOf(asked)).toContain('SO/JKT/2611/00012 menunggu persetujuan Anda.')
  })

  it('tells how long ago it was', () => {
    const now = Date.parse('2026-11-20T10:00:00Z')
    expect(['2026-11-20T09:59:50Z', '2026-11-20T09:55:00Z', '2026-11-20T08:00:00Z', '2026-11-19T09:00:00Z', '2026-11-10T10:00:00Z'].map((at) => ago(at, now))).toEqual([
      'this minute', '5 minutes ago', '2 hours ago', 'yesterday', '10 days ago',
    ])
  })
})
