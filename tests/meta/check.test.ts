import { describe, expect, it } from 'vitest'

import { type CheckContext, checkSchemas } from '../../scripts/schemas/checkSchemas.ts'
import { readSchemaFiles, type SchemaFile } from '../../scripts/schemas/readSources.ts'

const meta = readSchemaFiles().filter((file) => file.path.startsWith('schemas/meta/'))
const catalogue = JSON.stringify(
  Object.fromEntries(
    ['entity.city', 'entity.visit', 'field.code', 'field.id', 'field.name', 'field.population', 'field.mood', 'field.is_active', 'field.created_by', 'field.created_at',
      'field.updated_by', 'field.updated_at', 'field.version', 'field.city_id', 'field.visited_on', 'field.total', 'enum.GOOD', 'enum.BAD', 'screen.visit.list', 'empty.list',
      'menu.travel', 'menu.visits', 'preset.recent', 'action.new', 'page.visit'].map((key) => [key, key]),
  ),
)

const city = `{
  "kind": "entity",
  "id": "city",
  "base": "master",
  "resource": "city",
  "display": ["code", "name"],
  "fields": {
    "code": { "type": "code", "required": true },
    "name": { "type": "text" },
    "population": { "type": "integer" },
    "mood": { "type": "text" }
  }
}
`
const visit = `{
  "kind": "entity",
  "id": "visit",
  "base": "plain",
  "resource": "visit", "currency": "city_id.mood",
  "fields": {
    "city_id": { "type": "ref", "entity": "city" },
    "visited_on": { "type": "date" },
    "mood": { "type": "enum", "values": ["GOOD", "BAD"] },
    "total": { "type": "money" }
  },
  "conditions": { "good": { "mood": "GOOD" } }
}
`
const list = `{
  "kind": "list",
  "id": "visit.list",
  "entity": "visit",
  "columns": ["city_id", "visited_on", { "field": "total", "total": "sum" }],
  "filters": ["mood"],
  "sort": [{ "field": "visited_on", "dir": "desc" }],
  "presets": [{ "id": "recent", "where": { "visited_on": { "within": "last:7d" } } }],
  "emphasis": [{ "when": "good", "tone": "positive" }],
  "open": "/visits/{ID}"
}
`
const world: Readonly<Record<string, string>> = {
  'schemas/travel/city/city.entity.json': city,
  'schemas/travel/visit/visit.entity.json': visit,
  'schemas/travel/visit/visit.list.json': list,
  'schemas/routes.json': `[
  { "path": "/visits", "layout": "main", "screen": "visit.list", "guard": { "parent": "travel", "url": "/visits" } },
  { "path": "/visits/{id}", "layout": "main", "page": "visit", "guard": { "parent": "travel", "url": "/visits" } },
  { "path": "/later", "layout": "main" }
]
`,
  'schemas/menu.json': `[
  { "name": "travel", "icon": "eye", "submenu": [{ "name": "visits", "url": "/visits", "guard": "visit-view" }] }
]
`,
  'schemas/messages/en.json': catalogue,
  'schemas/messages/cn.json': catalogue,
  'schemas/messages/id.json': catalogue,
}
const context: CheckContext = { specificationPaths: ['/visits', '/visits/{id}', '/later'], keysInCode: new Set(), implemented: { PageName: new Set(['visit']) }, slotBudget: 0 }

/** Findings of the small world after `change` in one file, as `line:column code message`. */
function plant(file: string, from: string, to: string): readonly string[] {
  const text = world[file] ?? ''
  expect(text, `${file} contains what is replaced`).toContain(from)
  return check({ ...world, [file]: text.replace(from, to) })
}

function check(files: Readonly<Record<string, string>>): readonly string[] {
  const all: SchemaFile[] = [...meta, ...Object.entries(files).map(([path, text]) => ({ path, text }))]
  return checkSchemas(all, context)
    .findings.filter(({ code }) => code !== 'unused-message')
    .map(({ path, line, column, code, message }) => `${path.split('/').at(-1)}:${line}:${column} ${code} ${message}`)
}

const listFile = 'schemas/travel/visit/visit.list.json'
const entityFile = 'schemas/travel/visit/visit.entity.json'

describe('the check', () => {
  it('finds nothing in a sound world and counts what is served', () => {
    expect(check(world)).toEqual([])
    const result = checkSchemas([...meta, ...Object.entries(world).map(([path, text]) => ({ path, text }))], context)
    expect([result.served, result.total, result.own]).toEqual([2, 3, 0])
    const shorter = { ...context, specificationPaths: context.specificationPaths.slice(1) }
    const beside = checkSchemas([...meta, ...Object.entries(world).map(([path, text]) => ({ path, text }))], shorter)
    expect(beside.served + beside.own).toBe(2)
    expect([beside.total, beside.own]).toEqual([2, 1])
  })

  it('says of nothing that no file uses it while a file that may is left out', () => {
    const unused = (files: Readonly<Record<string, string>>): readonly string[] =>
      checkSchemas([...meta, ...Object.entries(files).map(([path, text]) => ({ path, text }))], context).findings.filter(({ code }) => code.startsWith('unused-')).map(({ message }) => message)
    const stray = { ...world, 'schemas/messages/en.json': catalogue.replace('{', '{ "stray.text": "Stray",') }
    expect(unused(stray)).toContain('nothing shows "stray.text"')
    const broken = { ...stray, [listFile]: (world[listFile] ?? '').replace('"kind": "list"', '"kind": 3') }
    expect(check(broken)).toContainEqual(expect.stringContaining('visit.list.json'))
    expect(unused(broken)).toEqual([])
    // Its shape is right, yet nothing could be made of it.
    const unresolved = { ...stray, [listFile]: (world[listFile] ?? '').replace('"entity": "visit"', '"entity": "vist"') }
    expect(check(unresolved)).toContainEqual(expect.stringContaining('did you mean "visit"?'))
    expect(unused(unresolved)).toEqual([])
  })

  it.each([
    ['an unknown key', listFile, '"filters"', '"fliters"', 'visit.list.json:6:3 unknown-key "fliters" is no key here; there may be kind, id, title, variants, guard, entity, columns, filters, sort, presets, presetQuery, home, firstStep, emphasis, groupBy, renamed, where, actions, upkeep, open, panel, order, import, preview, did you mean "filters"?'],
    ['an unknown key inside', listFile, '"total": "sum"', '"totl": "sum"', 'visit.list.json:5:60 unknown-key "totl" is no key here; there may be field, label, width, pin, importance, hidden, total, link, did you mean "total"?'],
    ['an unknown kind', listFile, '"kind": "list"', '"kind": "lsit"', 'visit.list.json:2:11 wrong-value "lsit" stands where "list" is expected'],
    ['an unknown field', listFile, '"visited_on", {', '"visted_on", {', 'visit.list.json:5:26 unknown-field visit has no field "visted_on", did you mean "visited_on"?'],
    ['an unknown filter', listFile, '["mood"]', '["moood"]', 'visit.list.json:6:15 unknown-field visit has no field "moood", did you mean "mood"?'],
    ['a field over a reference', listFile, '["city_id",', '["city_id.nam",', 'visit.list.json:5:15 unknown-field city has no field "nam", did you mean "name"?'],
    ['a total in no currency', entityFile, ', "currency": "city_id.mood"', '', 'visit.list.json:5:51 missing-currency "total" is money, but visit does not say in which "currency"; amounts of different currencies are never added up'],
    ['a way to a currency that leads nowhere', entityFile, '"city_id.mood"', '"city_id.mod"', 'visit.entity.json:5:36 unknown-field city has no field "mod", did you mean "mood"?'],
    ['a currency that is a number', entityFile, '"city_id.mood"', '"city_id.population"', 'visit.entity.json:5:36 wrong-currency "city_id.population" is integer; a currency is text'],
    ['two references', listFile, '["city_id",', '["city_id.name.x",', 'visit.list.json:5:15 unknown-field "city_id.name.x" follows more than one reference'],
    ['an unknown entity', listFile, '"entity": "visit"', '"entity": "vist"', 'visit.list.json:4:13 unknown-entity "vist" is no entity, did you mean "visit"?'],
    ['an unknown type', entityFile, '"type": "date"', '"type": "dates"', 'visit.entity.json:8:29 wrong-value "dates" is none of id, code, text, longtext, email, integer, quantity, money, percent, rate, price, cost, date, datetime, period, boolean, enum, status, ref, textlist, json, secret, did you mean "date"?'],
    ['an unknown operator', listFile, '"within": "last:7d"', '"whithin": "last:7d"', 'visit.list.json:8:60 unknown-key "whithin" is no key here; there may be eq, ne, in, nin, empty, lt, le, gt, ge, between, contains, startsWith, within, did you mean "within"?'],
    ['an operator of another type', listFile, '{ "within": "last:7d" }', '{ "contains": "7" }', 'visit.list.json:8:60 wrong-operator "contains" does not fit date "visited_on"; there may be eq, ne, in, nin, empty, lt, le, gt, ge, between, within'],
    ['an unknown period', listFile, '"last:7d"', '"last7d"', 'visit.list.json:8:70 wrong-value "last7d" does not match ^(today|yesterday|tomorrow|thisWeek|lastWeek|nextWeek|thisMonth|lastMonth|nextMonth|thisQuarter|lastQuarter|thisYear|lastYear|past|future|last:[0-9]+d|next:[0-9]+d)$'],
    ['an unknown enum value', entityFile, '{ "mood": "GOOD" }', '{ "mood": "GOD" }', 'visit.entity.json:12:37 unknown-value "mood" is never "GOD"; there may be GOOD, BAD, did you mean "GOOD"?'],
    ['an unknown condition', listFile, '"when": "good"', '"when": "goood"', 'visit.list.json:9:26 unknown-condition visit has no condition "goood", did you mean "good"?'],
    ['an unknown permission', 'schemas/menu.json', '"visit-view"', '"visit-veiw"', 'menu.json:2:97 unknown-guard "visit-veiw" is a permission nobody can be given, did you mean "visit-view"?'],
    ['an unknown screen', 'schemas/routes.json', '"visit.list"', '"visits.list"', 'routes.json:2:52 unknown-screen "visits.list" is no screen, did you mean "visit.list"?'],
    ['a menu entry of no path', 'schemas/menu.json', '"/visits"', '"/sooner"', 'menu.json:2:77 unknown-path /sooner is no path of the product'],
    ['a menu entry that is served without a permission', 'schemas/menu.json', ', "guard": "visit-view"', '', 'menu.json:2:77 missing-guard /visits is served, so its entry needs the permission that shows it'],
    ['a path missing from the list', 'schemas/routes.json', '"/later"', '"/latre"', 'routes.json:1:1 missing-route the specification\'s path /later is missing, did you mean "/latre"?'],
    ['a link to nowhere', listFile, '"/visits/{ID}"', '"/visit/{ID}"', 'visit.list.json:10:11 unknown-path nothing serves /visit/{ID}, did you mean "/visits/{id}"?'],
    ['a link with a key the row lacks', listFile, '{ID}"', '{VisitID}"', 'visit.list.json:10:11 unknown-key a row has no "VisitID"'],
    ['two routes of one path', 'schemas/routes.json', '"path": "/later"', '"path": "/visits"', 'routes.json:4:13 duplicate-path /visits stands here a second time'],
    ['a key written twice', listFile, '"filters": ["mood"],', '"filters": ["mood"], "filters": ["mood"],', 'visit.list.json:6:24 json-duplicate-key "filters" is written twice in this object'],
    ['a trailing comma', listFile, '"filters": ["mood"]', '"filters": ["mood",]', 'visit.list.json:6:21 json-trailing-comma a comma before the closing bracket'],
    ['a missing text', 'schemas/messages/en.json', '"field.mood":"field.mood",', '', 'en.json:1:1 missing-message "field.mood" is shown but has no text'],
    ['a page without a title', 'schemas/messages/en.json', '"page.visit":"page.visit"', '"page.visits":"page.visits"', 'routes.json:3:55 missing-message "page.visit" is the title of /visits/{id} but has no text'],
    ['a missing translation', 'schemas/messages/cn.json', '"field.mood":"field.mood",', '', 'cn.json:1:1 missing-translation "field.mood" is not translated: field.mood'],
    ['a page nobody wrote', 'schemas/routes.json', '"page": "visit"', '"page": "vist"', 'routes.json:3:55 unknown-page no code registers the page "vist", did you mean "visit"?'],
    ['a column twice', listFile, '"city_id", ', '"city_id", "city_id", ', 'visit.list.json:5:26 duplicate-field "city_id" stands here a second time'],
    ['a total of texts', listFile, '"field": "total"', '"field": "mood"', 'visit.list.json:5:51 total-of-text "mood" is enum; only numbers add up'],
    ['two routes that only name their parameters otherwise', 'schemas/routes.json', '"path": "/later"', '"path": "/visits/{code}"', 'routes.json:4:13 shadowed-path /visits/{code} is never reached: /visits/{id} takes the same addresses'],
    ['an impossible pair', listFile, '"when": "good"', '"when": { "all": ["good", { "mood": "BAD" }] }', 'visit.list.json:9:26 never-holds "mood" cannot be "GOOD" and "BAD" at once'],
    ['an impossible range', listFile, '{ "within": "last:7d" }', '{ "gt": "2026-02-01", "lt": "2026-01-01" }', 'visit.list.json:8:42 never-holds "visited_on" cannot be over "2026-02-01" and under "2026-01-01" at once'],
    ['an amount no decimal can be', listFile, '{ "visited_on": { "within": "last:7d" } }', '{ "total": { "ge": "10.00", "lt": "9.50" } }', 'visit.list.json:8:42 never-holds "total" cannot be at least "10.00" and under "9.50" at once'],
    ['nothing left of an enum', listFile, '{ "visited_on": { "within": "last:7d" } }', '{ "mood": { "nin": ["GOOD", "BAD"] } }', 'visit.list.json:8:42 never-holds "mood" cannot be "GOOD", "BAD" and none of "GOOD", "BAD"'],
    ['emptiness of what is required', 'schemas/travel/city/city.entity.json', '"population": { "type": "integer" }', '"population": { "type": "integer" }\n  },\n  "conditions": {\n    "blank": { "code": { "empty": true } }', 'city.entity.json:13:14 never-holds "code" is required and never empty'],
    ['a test of what is always so', 'schemas/travel/city/city.entity.json', '"population": { "type": "integer" }', '"population": { "type": "integer" }\n  },\n  "conditions": {\n    "named": { "code": { "empty": false } }', 'city.entity.json:13:14 always-holds "code" is required, so this holds for every record'],
    ['a field approved nowhere', 'schemas/travel/city/city.entity.json', '"name": { "type": "text" }', '"name": { "type": "text", "approval": true }', 'approval-nowhere no approval screen decides on the transition "change" of city, so no change would ever count'],
    ['an approved field of no master', entityFile, '"total": { "type": "money" }', '"total": { "type": "money", "approval": true }', 'approval-base only changes of a master are approved field by field; a document has a workflow'],
    ['a permission of a field that nobody can be given', entityFile, '"total": { "type": "money" }', '"total": { "type": "money", "readBy": "vist-view" }', 'visit.entity.json:10:43 unknown-guard "vist-view" is a permission nobody can be given, did you mean "visit-view"?'],
    ['a name with a permission', 'schemas/travel/city/city.entity.json', '"name": { "type": "text" }', '"name": { "type": "text", "readBy": "visit-edit" }', 'unfit-permission records of city are called, found or bounded by "name": it is there for whoever sees them'],
    ['a required field with a permission', 'schemas/travel/city/city.entity.json', '"population": { "type": "integer" }', '"population": { "type": "integer", "required": true, "writeBy": "visit-edit" }', 'unfit-permission "population" is required: without the permission nobody could make a record'],
    ['an order by what not everybody may read', entityFile, '"visited_on": { "type": "date" }', '"visited_on": { "type": "date", "readBy": "visit-edit" }', 'visit.list.json:7:11 needs-permission "visited_on" asks for "visit-edit", which not everybody has who opens visit.list'],
    ['a look by what not everybody may read', entityFile, '"mood": { "type": "enum", "values": ["GOOD", "BAD"] }', '"mood": { "type": "enum", "values": ["GOOD", "BAD"], "readBy": "visit-edit" }', 'needs-permission'],
    ['a menu entry with another permission', 'schemas/menu.json', '"visit-view"', '"visit-edit"', 'menu.json:2:97 wrong-permission "visit-edit" stands here, the server asks for "visit-view"'],
  ])('says where %s stands', (_, file, from, to, expected) => {
    expect(plant(file, from, to).join('\n')).toContain(expected)
  })

  it('knows where a record is edited, and that its page says which it is', () => {
    const detail = { kind: 'detail', id: 'visit.detail', entity: 'visit', tabs: [{ id: 'changes', kind: 'history' }], edit: '/visits', edits: [{ when: { mood: 'BAD' }, path: '/visits/{ID}' }] }
    const found = (change: object, path = '/visits/{id}', more = '') => check({
      ...world,
      'schemas/travel/visit/visit.detail.json': JSON.stringify({ ...detail, ...change }),
      'schemas/routes.json': (world['schemas/routes.json'] ?? '').replace('"/later", "layout": "main"', `"${path}", "layout": "main", "screen": "visit.detail", "guard": { "parent": "travel", "url": "/visits" }${more}`).replace('"/visits/{id}", "layout": "main", "page": "visit"', '"/visits/{id}/page", "layout": "main", "page": "visit"'),
    }).filter((finding) => /wrong|unknown-value|unknown-path|no-record/.test(finding))
    expect(found({})).toEqual([])
    expect(found({ edits: [{ when: { mood: 'SAD' }, path: '/visit/{ID}' }] }).join('\n')).toMatch(/SAD[^]*unknown-path nothing serves \/visit\/\{ID\}/)
    expect(found({}, '/visits/{ID}').join('\n')).toContain('no-record /visits/{ID} does not say whose record it shows')
    expect(found({}, '/visits/{ID}', ', "params": { "id": "{ID}" }')).toEqual([])
  })

  it('names what nothing uses', () => {
    const fragment = '{ "kind": "fragment", "id": "seldom", "type": "columns", "entity": "visit", "columns": ["mood"] }\n'
    const dataset = '{ "kind": "dataset", "version": 2, "id": "visits", "scope": { "operating_unit": "unit_id" }, "guard": "report-visits-view", "grain": "one row a mood", "key": ["mood"], "dimensions": { "mood": { "type": "text" } } }\n'
    const found = check({ ...world, 'schemas/travel/visit/seldom.fragment.json': fragment, 'schemas/travel/visit/visits.dataset.json': dataset, 'schemas/travel/visit/visits.dataset.sql': 'select 1' })
    expect(found).toContain('seldom.fragment.json:1:29 unused-fragment nothing uses the fragment "seldom"')
    expect(found).toContain('visits.dataset.json:1:42 unused-dataset no report shows the dataset "visits"')
    const used = check({ ...world, 'schemas/travel/visit/seldom.fragment.json': fragment, [listFile]: list.replace('"city_id", ', '"city_id", { "use": "seldom" }, ') })
    expect(used.join()).not.toContain('unused-fragment')
  })

  it('refuses a required field that hides itself', () => {
    const form = (field: string) => `{ "kind": "form", "id": "city.form", "entity": "city", "sections": [{ "id": "general", "fields": ["name", ${field}] }] }\n`
    const found = (field: string) => check({ ...world, 'schemas/travel/city/city.form.json': form(field) }).filter((line) => line.includes('required-hidden'))
    expect(found('{ "field": "code", "when": { "population": { "gt": 5 } } }')).toEqual([
      'city.form.json:1:107 required-hidden "code" is required, and hidden it is empty: the form could not be saved; use "requiredWhen", "onHide": "keep" or a default',
    ])
    expect(found('{ "field": "code", "when": { "population": { "gt": 5 } }, "onHide": "keep" }')).toEqual([])
    expect(found('{ "field": "code", "readOnly": true, "required": true }')).toEqual(['city.form.json:1:156 required-hidden "code" is read-only here, so nobody could fill it'])
  })

  it('gives one finding for one mistake', () => {
    expect(plant(listFile, '"filters": ["mood"]', '"filters": ["moood"]')).toHaveLength(1)
    expect(plant(listFile, '"total": "sum"', '"totl": "sum"')).toHaveLength(1)
    expect(plant(entityFile, '{ "mood": "GOOD" }', '{ "mood": "GOD" }')).toHaveLength(1)
  })

  it('keeps conditions small', () => {
    const nine = JSON.stringify({ any: Array.from({ length: 9 }, () => ({ mood: 'GOOD' })) })
    expect(plant(listFile, '"good"', nine)).toContain('visit.list.json:9:26 condition-too-long 9 tests; at most 8, past that the server should supply a flag')
    const deep = JSON.stringify({ all: [{ any: [{ not: { mood: 'GOOD' } }] }] })
    expect(plant(listFile, '"good"', deep)).toContain('visit.list.json:9:26 condition-too-deep 4 levels; at most 3, past that the server should supply a flag')
  })
})
