import { addDays, addMonths, type DateText, endOfMonth } from '#base/date.ts'

/** First and last day of a relative period, both inclusive; undefined for a name that is none. Weeks begin on Monday. */
export function periodRange(period: string, today: DateText): { readonly from: DateText; readonly to: DateText } | undefined {
  const rolling = /^(last|next):(\d{1,4})d$/.exec(period)
  if (rolling !== null) {
    const days = Number(rolling[2]) - 1
    return rolling[1] === 'last' ? { from: addDays(today, -days), to: today } : { from: today, to: addDays(today, days) }
  }
  const monday = addDays(today, -((new Date(`${today}T00:00:00Z`).getUTCDay() + 6) % 7))
  const first = `${today.slice(0, 7)}-01`
  const year = today.slice(0, 4)
  const quarter = `${year}-${String(Math.floor((Number(today.slice(5, 7)) - 1) / 3) * 3 + 1).padStart(2, '0')}-01`
  switch (period) {
    case 'today':
      return { from: today, to: today }
    case 'yesterday':
      return { from: addDays(today, -1), to: addDays(today, -1) }
    case 'tomorrow':
      return { from: addDays(today, 1), to: addDays(today, 1) }
    case 'thisWeek':
      return { from: monday, to: addDays(monday, 6) }
    case 'lastWeek':
      return { from: addDays(monday, -7), to: addDays(monday, -1) }
    case 'nextWeek':
      return { from: addDays(monday, 7), to: addDays(monday, 13) }
    case 'thisMonth':
      return { from: first, to: endOfMonth(first) }
    case 'lastMonth':
      return { from: addMonths(first, -1), to: addDays(first, -1) }
    case 'nextMonth':
      return { from: addMonths(first, 1), to: endOfMonth(addMonths(first, 1)) }
    case 'thisQuarter':
      return { from: quarter, to: endOfMonth(addMonths(quarter, 2)) }
    case 'lastQuarter':
      return { from: addMonths(quarter, -3), to: addDays(quarter, -1) }
    case 'thisYear':
      return { from: `${year}-01-01`, to: `${year}-12-31` }
    case 'lastYear':
      return { from: `${Number(year) - 1}-01-01`, to: `${Number(year) - 1}-12-31` }
    case 'past':
      return { from: '0001-01-01', to: addDays(today, -1) }
    case 'future':
      return { from: addDays(today, 1), to: '9999-12-31' }
    default:
      return undefined
  }
}
