import type { Row } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import type { DocumentHooks } from '#server/documents/hooks.ts'
import { wrong } from '#server/problemError.ts'

/** No combo holds itself, and one that explodes on the order holds no other of its kind and is in none: orders have goods on their lines. */
export const comboHooks: DocumentHooks = {
  async beforeSave({ context, before, header, lines, problem }) {
    const { item_id: item, kind, is_active: isActive }: Row = { ...before, ...header }
    if (isActive === false) return
    const id = before?.id ?? 0
    const stored = before === undefined ? [] : await context.tx.rows<Row>(sql`select id, item_id from combo_component where combo_id = ${id} order by line_no, id`)
    const parts: readonly Row[] = lines?.['Lines']?.map((line) => ({ ...stored.find((row) => row['id'] === line.id), ...line.columns })) ?? stored
    const items = parts.map((part) => part['item_id']).filter((part) => typeof part === 'number')
    const others = kind !== 'VIRTUAL' ? [] : await context.tx.rows<{ code: string; item_id: number; holds: boolean }>(sql`
      select c.code, c.item_id, exists (select 1 from combo_component k where k.combo_id = c.id and k.item_id = ${item}::bigint) as holds
      from combo c where c.kind = 'VIRTUAL' and c.id <> ${id} and (c.item_id = any(${items}::bigint[]) or exists (select 1 from combo_component k where k.combo_id = c.id and k.item_id = ${item}::bigint)) order by c.code`)
    for (const [i, { item_id: part }] of parts.entries()) {
      const nested = part === item ? { code: String(header['code'] ?? before?.['code']) } : others.find((other) => other.item_id === part)
      if (nested !== undefined) problem(wrong(`Lines[${i}].ItemID`, 'NOT_A_CHOICE.combo-part', { combo: nested.code }))
    }
    const within = others.find(({ holds }) => holds)
    if (within !== undefined) problem(wrong('ItemID', 'NOT_A_CHOICE.combo-within', { combo: within.code }))
  },
}
