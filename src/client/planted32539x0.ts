import { sql } from '#server/db/sql.ts'
export const used = sql
