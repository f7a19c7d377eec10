import { types, type CustomTypesConfig } from 'pg'

const parsers: Readonly<Record<number, (text: string) => unknown>> = {
  // bigint: ids and counts, far below 2^53; anything above is a broken assumption and must not be rounded silently.
  20: (text) => {
    const value = Number(text)
    if (!Number.isSafeInteger(value)) throw new Error(`Integer out of range: ${text}`)
    return value
  },
  // date stays text: as a Date it would be local midnight and shift by a day in zones east of Greenwich.
  1082: (text) => text,
  1114: (text) => new Date(`${text.replace(' ', 'T')}Z`).toISOString(),
  1184: momentText,
  1700: (text) => text,
  // bigint[]: ids.
  1016: (text) => textArray(text).map((entry) => (entry === null ? null : Number(entry))),
  1182: textArray,
  1231: textArray,
}

/** `2026-11-20 03:00:00+00` as ISO text. Spelt as the standard wants it first: otherwise the year 0001 is read as 2001. */
function momentText(text: string): string {
  return new Date(text.replace(' ', 'T').replace(/[+-]\d\d$/, '$&:00')).toISOString()
}

/** A one-dimensional array of numbers, dates or decimals: no quotes, no escapes. */
function textArray(text: string): readonly (string | null)[] {
  const inner = text.slice(1, -1)
  return inner === '' ? [] : inner.split(',').map((entry) => (entry === 'NULL' ? null : entry))
}

/** How column values arrive: bigint → number, numeric → decimal text, date → `YYYY-MM-DD`, timestamps → ISO text, json parsed. */
export const columnTypes: CustomTypesConfig = {
  // oxlint-disable-next-line no-unsafe-enum-assignment -- the driver asks for every type there is, its declaration names only some
  getTypeParser: (oid: number, format?: 'text' | 'binary') => parsers[oid] ?? types.getTypeParser(oid, format),
}
