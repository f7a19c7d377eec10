import { describe, expect, it } from 'vitest'
import { checkSchemas, contextOfRepository, readMigrationFiles } from '../../scripts/schemas/checkSchemas.ts'
import { readSchemaFiles, sourcesOf } from '../../scripts/schemas/readSources.ts'
import type { Finding } from '../../src/meta/check/finding.ts'
import { locate } from '../../src/meta/check/locate.ts'
import { tablesMadeBy } from '../../src/meta/check/madeTables.ts'
import { migrationFindings } from '../../src/meta/check/migrations.ts'
import { resolve, ResolveMemory } from '../../src/meta/resolve.ts'

const files = readSchemaFiles()
const migrations = readMigrationFiles()
const bank = files.find(({ path }) => path.endsWith('/bank.entity.json')) ?? expect.fail('bank.entity.json is gone')

const located = new Map(files.filter(({ path }) => path.endsWith('.json')).map(({ path, text }) => [path, locate(path, text)]))
const told = (findings: readonly Finding[]) => findings.filter(({ code }) => /^(no|stray|other)-(table|column)$/.test(code)).map(({ path, line, code, message }) => `${path.split('/').at(-1)}:${line} ${code} ${message}`)
const memory = new ResolveMemory()

/** What is said of tables when a statement is added to the migrations, or the entity of banks is another. */
function found(sql: string, entity: (text: string) => string = (text) => text): readonly string[] {
  const { sources } = sourcesOf(withBank(entity))
  const { metadata, problems } = resolve(sources, memory)
  expect(problems).toEqual([])
  const after = sql === '' ? migrations : [...migrations, { path: 'src/server/db/migrations/9999_more.sql', text: sql }]
  return told(migrationFindings(after, metadata.entities, sources, new Map([...located, [bank.path, locate(bank.path, entity(bank.text))]])))
}
const withBank = (entity: (text: string) => string) => files.map((file) => (file === bank ? { ...file, text: entity(file.text) } : file))
/** Line of the entity file that holds this. */
const lineOf = (text: string, part: string): number => text.slice(0, text.indexOf(part)).split('\n').length
const field = (declaration: string) => (text: string) => text.replace('"fields": {', `"fields": {\n    ${declaration},`)

describe('the check holds the migrations against the entities', () => {
  it('and finds nothing in the product, and in its place what is planted there', () => {
    expect(found('')).toEqual([])
    const colour = field('"colour": { "type": "text" }')
    expect(told(checkSchemas(withBank(colour), { ...contextOfRepository(), migrations }).findings)).toEqual(found('', colour))
    expect(found('', colour)).toHaveLength(1)
  })

  it.each([
    ['"colour": { "type": "text" }', ['ALTER TABLE "bank" ADD COLUMN "colour" text;']],
    ['"colour": { "type": "money", "required": true }', ['ALTER TABLE "bank" ADD COLUMN "colour" numeric(18,2);', 'UPDATE "bank" SET "colour" = …;', 'ALTER TABLE "bank" ALTER COLUMN "colour" SET NOT NULL;']],
    ['"colour": { "type": "ref", "entity": "brand" }', ['ALTER TABLE "bank" ADD COLUMN "colour" bigint REFERENCES "brand"', 'CREATE INDEX "bank_colour_idx" ON "bank" ("colour");']],
    ['"colour": { "type": "enum", "values": ["RED"] }', [`CHECK ("colour" IN ('RED'))`]],
  ])('a field without its column: %s', (declaration, sql) => {
    const [line = '', ...more] = found('', field(declaration))
    expect(more).toEqual([])
    expect(line).toMatch(`bank.entity.json:${lineOf(field(declaration)(bank.text), '"colour"')} no-column no migration makes the column "colour" of bank: `)
    for (const part of sql) expect(line).toContain(part)
  })

  it('nothing is asked for a column the migration brings in any spelling', () => {
    for (const sql of ['alter table bank add column colour text;', '-- a; comment\nALTER TABLE "bank"\n  ADD "colour" text -- more\n;', 'alter table bank add column hue varchar(9); alter table bank rename column hue to colour; alter table bank alter column colour type text;']) {
      expect(found(sql, field('"colour": { "type": "text" }')), sql).toEqual([])
    }
  })

  it.each([
    ['a column no field asks for', 'alter table bank add column colour text;', /^bank\.entity\.json:\d+ stray-column .*"colour" of bank, made in src\/server\/db\/migrations\/9999_more\.sql:1: ALTER TABLE "bank" DROP COLUMN "colour";$/],
    ['a column taken off', '\n\nalter table bank drop column name;', /^bank\.entity\.json:\d+ no-column .*ADD COLUMN "name" text/],
    ['another type', 'alter table bank alter column name type varchar(20) using left(name, 20);', /other-column the column "name" of bank is varchar\(20\) not null in .*9999_more\.sql:1: ALTER TABLE "bank" ALTER COLUMN "name" TYPE text;$/],
    ['null allowed', 'alter table bank alter name drop not null;', /other-column .*ALTER TABLE "bank" ALTER COLUMN "name" SET NOT NULL;$/],
    ['a table no entity has', '\ncreate table if not exists planted (id bigint primary key, "x" text check (x in (\'a,;\', \'b\')));', /^9999_more\.sql:2 stray-table no entity has the table "planted": DROP TABLE "planted";$/],
    ['a table taken off', 'drop table brand;', /brand\.entity\.json:\d+ no-table no migration makes the table "brand"/],
    ['a table renamed', 'alter table brand rename to brands;', /stray-table no entity has the table "brands", did you mean "brand"\?/],
    ['a view taken off', 'drop view if exists billing_due;', /no-table no migration makes the view "billing_due"/],
    ['other words', `alter table warehouse drop constraint warehouse_kind_check, add constraint moon check (kind in ('MOON'));`, /^warehouse\.entity\.json:\d+ other-column the column "kind" of warehouse is text not null one of MOON in .*DROP CONSTRAINT "moon"; ALTER TABLE "warehouse" ADD CONSTRAINT "warehouse_kind_check" CHECK/],
    ['no words', 'alter table warehouse drop constraint warehouse_kind_check;', /other-column the column "kind" .*: ALTER TABLE "warehouse" ADD CONSTRAINT "warehouse_kind_check" CHECK/],
  ])('%s', (_, sql, sentence) => {
    expect(found(sql)).toContainEqual(expect.stringMatching(sentence))
  })

  it('a field called otherwise is renamed, not made anew', () => {
    const said = found('alter table bank add column hue text;', (text) => field('"colour": { "type": "text" }')(text).replace('"fields"', '"renamed": { "hue": "colour" },\n  "fields"'))
    expect(said).toContainEqual(expect.stringMatching(/no-column .*\(ALTER TABLE "bank" RENAME COLUMN "hue" TO "colour"; keeps what stands in it\)/))
  })
})

describe('what migrations say is read', () => {
  const columns = (text: string) => Object.fromEntries([...(tablesMadeBy([{ path: 'm.sql', text }]).get('a')?.columns ?? [])].map(([name, { place: _place, ...column }]) => [name, column]))

  it('with keys, references, checks and what stands in quotes and functions', () => {
    expect(columns(`
      create table a (
        id bigint generated by default as identity primary key, -- a comment, with a comma
        "b_id" bigint not null references b on delete cascade,
        kind text default 'x, not null' check (kind in ('O''K', 'NO')),
        amount numeric(18, 2) not null default 0,
        unique (kind, b_id), constraint a_amount check (amount >= 0)
      );
      create function f() returns trigger language plpgsql as $$ begin alter table a drop column id; end $$;
      insert into a (kind) values ('; drop table a;');
      alter table only a add column c_id bigint, add at timestamp with time zone not null;
      alter table a add constraint a_c_fkey foreign key (c_id) references c deferrable;`)).toEqual({
      id: { type: 'bigint', isNullable: false },
      b_id: { type: 'bigint', isNullable: false, references: 'b' },
      kind: { type: 'text', isNullable: true, choices: ['NO', "O'K"], check: 'a_kind_check' },
      amount: { type: 'numeric(18,2)', isNullable: false },
      c_id: { type: 'bigint', isNullable: true, references: 'c' },
      at: { type: 'timestamptz', isNullable: false },
    })
  })
})
