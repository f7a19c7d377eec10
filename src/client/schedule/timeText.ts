/** A time of day as it is shown everywhere, `07:00`, of what was typed (`7`, `7.30`, `0730`); what is no time stays as it is. */
export function timeText(typed: string): string {
  const [, hours = '', minutes = '00'] = /^(\d{1,2})(?:[:.,hH ]?(\d{2}))?$/.exec(typed.trim()) ?? []
  return hours === '' || Number(hours) > 23 || Number(minutes) > 59 ? typed : `${hours.padStart(2, '0')}:${minutes}`
}
