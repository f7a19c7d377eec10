import { describe, expect, it } from 'vitest'
import { timeText } from '#client/schedule/timeText.ts'

describe('a time of day typed', () => {
  it.each([['7', '07:00'], ['07:00', '07:00'], ['730', '07:30'], ['0730', '07:30'], ['7.30', '07:30'], ['19h05', '19:05'], [' 23:59 ', '23:59']])('%s is %s', (typed, time) => {
    expect(timeText(typed)).toBe(time)
  })

  it.each(['24:00', '12:60', '7:00 PM', 'noon', ''])('%s stays for the server to refuse', (typed) => {
    expect(timeText(typed)).toBe(typed)
  })
})
