import type { FieldProblem } from '#api/problems.ts'
import { longestNote, type PublicationOffer, type StudioProposal, type StudioPublication, type StudioTexts, type StudioTile, type TileOffer, tileTypes } from '#api/studio.ts'
import { checkSchemas } from '#meta/check/checkFiles.ts'
import type { Finding } from '#meta/check/finding.ts'
import { changed, contentOf, nounOf, published, reportFile } from '#meta/authoring/proposal.ts'
import { tileGroups, tileMeasures } from '#meta/authoring/reportTile.ts'
import { sayReport } from '#meta/authoring/sayReport.ts'
import type { DashboardScreen, ReportScreen } from '#meta/resolved.ts'
import { isServed } from '#meta/routePath.ts'
import type { SchemaFile } from '#meta/schemaFiles.ts'
import { fillIn } from '#meta/sentence.ts'
import { openablePages } from '#server/access/openable.ts'
import { hasReport, requireGuard } from '#server/access/guards.ts'
import type { Queries, Row, User } from '#server/context.ts'
import { sql } from '#server/db/sql.ts'
import { settle } from '#server/notifications/notify.ts'
import { fail, invalid, problem, ProblemError, wrong } from '#server/problemError.ts'
import type { Services } from '#server/services.ts'
import { languages } from '#server/texts.ts'
import type { CommandRun } from '#server/workflow/commandRun.ts'
import { lockedDraft, log, readDraft, reportIn } from './drafts.ts'
import { shelfOf } from './material.ts'
import { patchOf } from './patch.ts'

const longestText = 300
const usualGroup = 'Reports'

/** What publishing the draft would be called: the area of its dataset, a path and texts made of its name and of what it shows. */
export async function publicationOffer(services: Services, user: User, id: number): Promise<PublicationOffer> {
  const draft = await readDraft(services.database, user, id)
  const { source, screen } = reportIn(services, user, draft.Source)
  const shelf = shelfOf(services.schemas)
  const { sources, files } = shelf.world()
  const noun = nounOf(source.id) ?? ''
  const areas = [...new Set(files.flatMap(({ path }) => /^schemas\/([a-z-]+)\/[a-z-]+\/[^/]+\.entity\.json$/.exec(path)?.[1] ?? []))].sort()
  const home = sources.dataset.find(({ value }) => value.id === source.dataset)?.path.split('/')[1]
  const said = (language: keyof StudioTexts): string => {
    const texts = catalogueIn(files, language)
    return sayReport(screen, (key, values = {}) => fillIn(texts[key] ?? key, (name) => values[name]))
  }
  const tile = tileOffer(services, screen, draft.Name)
  const place = placeOf(services, user, source.id)
  const groupNames = services.metadata.menu.map(({ name, label }) => ({ name, label }))
  if (place !== undefined) {
    const textOf = (kind: string, otherwise: (language: keyof StudioTexts) => string): StudioTexts => {
      const text = (language: keyof StudioTexts): string => catalogueIn(files, language)[`${kind}.${source.id}`] ?? otherwise(language)
      return { en: text('en'), cn: text('cn'), id: text('id') }
    }
    return {
      ...(tile === undefined ? {} : { tile }),
      record: { Area: place.area, Path: place.path, Group: place.group, Title: textOf('screen', () => draft.Name), Sentence: textOf('sentence', said), HasOwnPermission: false, Note: '' },
      areas: [place.area], groups: groupNames, isChange: true,
    }
  }
  return {
    ...(tile === undefined ? {} : { tile }),
    record: {
      Area: home ?? areas[0] ?? '', Path: `/report/${noun}`, Group: usualGroup, Title: { en: draft.Name, cn: draft.Name, id: draft.Name },
      Sentence: { en: said('en'), cn: said('cn'), id: said('id') }, HasOwnPermission: false, Note: '',
    },
    areas,
    groups: groupNames,
  }
}

/** Where a published report stands that the user may open; undefined: there is none of this id, or it shares its file with others. */
function placeOf({ metadata, schemas }: Services, user: User, id: string): { readonly file: string; readonly area: string; readonly path: string; readonly group: string; readonly guard: string | undefined } | undefined {
  const screen = Object.hasOwn(metadata.screens, id) ? metadata.screens[id] : undefined
  const { sources, files } = shelfOf(schemas).world()
  const source = sources.report.find(({ value }) => value.id === id)
  if (screen?.kind !== 'report' || source === undefined || !hasReport(metadata, user, screen)) return undefined
  const own: { readonly id?: unknown; readonly variants?: unknown } = JSON.parse(files.find(({ path }) => path === source.path)?.text ?? '{}')
  const routes: readonly { readonly path: string; readonly screen?: string; readonly guard?: { readonly parent?: string } }[] = JSON.parse(files.find(({ path }) => path === 'schemas/routes.json')?.text ?? '[]')
  const route = routes.find((one) => one.screen === id)
  if (own.id !== id || own.variants !== undefined || route === undefined) return undefined
  return { file: source.path, area: source.path.split('/')[1] ?? '', path: route.path, group: route.guard?.parent ?? usualGroup, guard: source.value.guard }
}

/** A tile of the report to begin with: its first measure, drawn by its first group. */
function tileOffer({ metadata }: Services, screen: ReportScreen, name: string): TileOffer | undefined {
  const measures = tileMeasures(screen).map((measure) => ({ name: measure.name, label: measure.label }))
  const groups = tileGroups(screen).map(({ key, label, grain }) => ({ key, label, ...(grain === undefined ? {} : { grain }) }))
  const dashboards = dashboardsOf(metadata).map(({ id, title }) => ({ id, label: title }))
  const [measure] = measures
  const [dashboard] = dashboards
  if (measure === undefined || dashboard === undefined) return undefined
  const by = screen.opens?.rows[0] ?? groups[0]?.key ?? ''
  return {
    record: { Dashboard: dashboard.id, Type: by === '' ? 'kpi' : 'chart', Measure: screen.chart?.measures[0]?.name ?? measure.name, By: by, Title: { en: name, cn: name, id: name } },
    dashboards, measures, groups,
  }
}

function dashboardsOf(metadata: Services['metadata']): readonly DashboardScreen[] {
  return Object.values(metadata.screens).flatMap((screen) => (screen.kind === 'dashboard' ? [screen] : []))
}

/** Does the tile show what the report has? */
function assertTile({ metadata }: Services, screen: ReportScreen, tile: StudioTile | undefined): void {
  if (tile === undefined) return
  const problems: FieldProblem[] = []
  const choose = (field: string, value: string, choices: readonly string[]): void => {
    if (value === '') problems.push(wrong(`Tile.${field}`, 'REQUIRED'))
    else if (!choices.includes(value)) problems.push(wrong(`Tile.${field}`, 'NOT_A_CHOICE', { choices }))
  }
  choose('Dashboard', tile.Dashboard, dashboardsOf(metadata).map(({ id }) => id))
  choose('Measure', tile.Measure, tileMeasures(screen).map(({ name }) => name))
  if (tile.Type !== 'kpi' || tile.By !== '') choose('By', tile.By, tileGroups(screen).map(({ key }) => key))
  if (problems.length > 0) invalid(problems)
}

/** A proposal that has passed the check and is not kept yet. */
export interface DrawnUp {
  readonly draftId: number
  readonly version: number
  readonly screen: string
  readonly wanted: StudioPublication
  readonly files: readonly string[]
  readonly patch: string
  /** What the report and its texts will say. */
  readonly content: string | undefined
}

/**
 * Writes the files of the published report as the formatter writes them, holds all schema files with them against the check, and makes the
 * difference a patch. What the check objects to refuses the proposal, with its place. It takes its time and writes nothing: no transaction waits for it.
 */
export async function drawUp(services: Services, user: User, id: number, version: number, body: Readonly<Record<string, unknown>>): Promise<DrawnUp> {
  const draft = await readDraft(services.database, user, id)
  if (draft.Version !== version) fail('VERSION_CONFLICT.draft')
  const asked = readPublication(body)
  const { source, screen } = reportIn(services, user, draft.Source)
  const place = placeOf(services, user, source.id)
  // A published report stays where it is.
  const wanted: StudioPublication = place === undefined ? asked : { ...asked, Area: place.area, Path: place.path, Group: place.group, HasOwnPermission: false }
  if (nounOf(source.id) === undefined) invalid([wrong('Source', 'WRONG_TYPE.report-id')])
  const before = shelfOf(services.schemas).files()
  const guard = wanted.HasOwnPermission ? `${wanted.Path.split('/').at(-1)}-view` : screen.guard
  const publication = {
    report: wanted.HasOwnPermission ? { ...source, guard } : source, area: wanted.Area, path: wanted.Path, group: wanted.Group, guard, title: wanted.Title, sentence: wanted.Sentence,
    ...(wanted.Tile === undefined ? {} : { tile: { dashboard: wanted.Tile.Dashboard, type: wanted.Tile.Type, measure: wanted.Tile.Measure, by: wanted.Tile.By, title: wanted.Tile.Title } }),
  }
  assertTile(services, screen, wanted.Tile)
  if (place === undefined) assertFree(before, publication.path, reportFile(publication), screen)
  const written = place === undefined ? published(before, publication) : changed(before, { ...publication, report: place.guard === undefined ? source : { ...source, guard: place.guard } }, place.file)
  if (written.length === 0) invalid([wrong('Source', 'DUPLICATE.published')])
  assertSound(before, written)
  const content = contentOf([...before.filter(({ path }) => written.every((file) => file.path !== path)), ...written], place?.file ?? reportFile(publication), source.id)
  const patch = written.map((file) => patchOf(before.find(({ path }) => path === file.path), file)).join('')
  const files = written.filter((file) => before.find(({ path }) => path === file.path)?.text !== file.text).map(({ path }) => path)
  return { draftId: id, version, screen: source.id, wanted, files, patch, content }
}

/** Keeps what was drawn up, unless the draft was changed meanwhile. */
export async function propose(run: CommandRun, { draftId: id, version, screen, wanted, files, patch, content }: DrawnUp): Promise<StudioProposal> {
  const { tx, user, now } = run
  await lockedDraft(tx, user, id, version)
  // Reviewers have one proposal of a draft before them: the last.
  await withdrawOlder(run, id)
  const row = await tx.first<{ id: number }>(sql`
    insert into report_proposal (draft_id, owner_id, screen, path, title, note, files, patch, content, created_at)
    values (${id}, ${user.id}, ${screen}, ${wanted.Path}, ${wanted.Title.en}, ${wanted.Note}, ${files}::text[], ${patch}, ${content ?? null}, ${now.toISOString()}) returning id`)
  await log(run, id, 'propose', wanted.Path)
  await settle(tx, now, `report_draft:${id}`, user.id)
  return readProposal(run.services, user, row?.id ?? 0, run)
}

async function withdrawOlder({ tx, services, user, now }: CommandRun, draftId: number): Promise<void> {
  await rememberPublished(tx, services, now)
  const older = await tx.rows<{ id: number }>(sql`select id from report_proposal where draft_id = ${draftId} and owner_id = ${user.id} and withdrawn_at is null and published_at is null for update`)
  const open = older.map(({ id }) => id)
  await tx.run(sql`update report_proposal set withdrawn_at = ${now.toISOString()} where id = any(${open}::bigint[])`)
}

/** What has come into force is remembered, at each start of the program and before a report is proposed again: later changes of the report do not undo it. */
export async function rememberPublished(queries: Queries, services: Services, now: Date): Promise<void> {
  const rows = await queries.rows(sql`select id, screen, content from report_proposal where withdrawn_at is null and published_at is null`)
  const ids = rows.filter((row) => isInForce(services, row)).map((row) => Number(row['id']))
  if (ids.length > 0) await queries.run(sql`update report_proposal set published_at = ${now.toISOString()} where id = any(${ids}::bigint[])`)
}

/** Does the running program say what the proposal says? */
function isInForce({ metadata, schemas }: Services, row: Row): boolean {
  const screen = String(row['screen'])
  if (!Object.hasOwn(metadata.screens, screen)) return false
  if (row['content'] === null) return true
  const { sources, files } = shelfOf(schemas).world()
  const file = sources.report.find(({ value }) => value.id === screen)?.path
  return file !== undefined && contentOf(files, file, screen) === row['content']
}

/** The user's own, or everybody's; newest first. */
export async function proposals(services: Services, user: User, isAll: boolean): Promise<readonly StudioProposal[]> {
  const rows = await services.database.rows(sql`${selected} where ${isAll ? sql`true` : sql`p.owner_id = ${user.id}`} order by p.created_at desc, p.id desc limit 200`)
  return rows.map((row) => proposalOf(services, user, row))
}

/** Reviewers ask for the permission and for their page in the menu. */
export function requireReview({ metadata }: Services, user: User): void {
  requireGuard(user, 'studio-approve')
  if (!openablePages(metadata, user)('/studio/proposals')) fail('FORBIDDEN_GUARD.hidden')
}

/** The patch of a proposal: for its author and for reviewers. */
export async function patchIn(services: Services, user: User, id: number): Promise<{ readonly name: string; readonly text: string }> {
  const row = await services.database.first<{ screen: string; patch: string; owner_id: number }>(sql`select screen, patch, owner_id from report_proposal where id = ${id}`)
  if (row === undefined) return fail('NOT_FOUND.gone')
  if (row.owner_id !== user.id && !user.guards.has('studio-approve')) return fail('NOT_FOUND.gone')
  return { name: `${row.screen}.patch`, text: row.patch }
}

export async function withdraw(run: CommandRun, id: number): Promise<StudioProposal> {
  const { tx, user, now } = run
  const found = await tx.first<{ draft_id: number | null }>(sql`select draft_id from report_proposal where id = ${id} and owner_id = ${user.id} for update`)
  if (found === undefined) return fail('NOT_FOUND.gone')
  if ((await readProposal(run.services, user, id, run)).State !== 'PROPOSED') fail('ILLEGAL_TRANSITION.proposal')
  await tx.run(sql`update report_proposal set withdrawn_at = ${now.toISOString()} where id = ${id}`)
  if (found.draft_id !== null) await log(run, found.draft_id, 'withdraw', null)
  return readProposal(run.services, user, id, run)
}

async function readProposal(services: Services, user: User, id: number, { tx }: CommandRun): Promise<StudioProposal> {
  const row = await tx.first(sql`${selected} where p.id = ${id}`)
  return row ? proposalOf(services, user, row) : fail('NOT_FOUND.gone')
}

const selected = sql`select p.id, p.draft_id, p.screen, p.path, p.title, p.note, p.files, p.content, p.withdrawn_at, p.published_at, p.created_at, p.owner_id, u.name as owner_name from report_proposal p join app_user u on u.id = p.owner_id`

function proposalOf(services: Services, user: User, row: Row): StudioProposal {
  const screen = String(row['screen'])
  return {
    ID: Number(row['id']), DraftID: row['draft_id'] === null ? null : Number(row['draft_id']), Title: String(row['title']), Screen: screen, Path: String(row['path']), Note: String(row['note']), OwnerName: String(row['owner_name']),
    IsOwn: Number(row['owner_id']) === user.id, CreatedAt: String(row['created_at']), State: row['withdrawn_at'] !== null ? 'WITHDRAWN' : row['published_at'] !== null || isInForce(services, row) ? 'PUBLISHED' : 'PROPOSED',
    Files: Array.isArray(row['files']) ? row['files'].map(String) : [],
  }
}

function assertFree(files: readonly SchemaFile[], path: string, file: string, { id }: ReportScreen): void {
  const routes: readonly { readonly path: string; readonly screen?: string; readonly page?: string; readonly redirect?: string }[] = JSON.parse(files.find((one) => one.path === 'schemas/routes.json')?.text ?? '[]')
  const problems: FieldProblem[] = []
  if (routes.some((route) => route.path === path && isServed(route))) problems.push(wrong('Path', 'DUPLICATE'))
  if (files.some((one) => one.path === file)) problems.push(wrong('Source', 'DUPLICATE.screen', { screen: id }))
  if (problems.length > 0) invalid(problems)
}

/** All schema files with the proposal among them pass the check, as far as the proposal is concerned. */
function assertSound(before: readonly SchemaFile[], written: readonly SchemaFile[]): void {
  const names = new Set(written.map(({ path }) => path))
  const after = [...before.filter(({ path }) => !names.has(path)), ...written].toSorted((a, b) => (a.path < b.path ? -1 : 1))
  const context = { specificationPaths: [], keysInCode: new Set<string>(), implemented: {}, slotBudget: Infinity }
  const isNew = ({ path, severity }: Finding): boolean => severity === 'error' && names.has(path)
  const findings = checkSchemas(after, context).findings.filter(isNew)
  const [first] = findings
  if (first === undefined) return
  throw new ProblemError({ ...problem('VALIDATION_FAILED.proposal', { path: first.path, line: first.line, column: first.column, message: first.message }), errors: [wrong('Source', 'WRONG_TYPE.report')], data: { findings } })
}

function catalogueIn(files: readonly SchemaFile[], language: keyof StudioTexts): Readonly<Record<string, string>> {
  return JSON.parse(files.find(({ path }) => path === `schemas/messages/${language}.json`)?.text ?? '{}')
}

function readPublication({ Area: area, Path: path, Group: group, Title: title, Sentence: sentence, HasOwnPermission: hasOwn = false, Note: note = '', Tile: tile, ...rest }: Readonly<Record<string, unknown>>): StudioPublication {
  const problems: FieldProblem[] = Object.keys(rest).map((key) => wrong(key.slice(0, 80), 'UNKNOWN_FIELD'))
  const check = (name: string, value: unknown, isFine: boolean, field: FieldProblem): void => {
    if (value === undefined) problems.push(wrong(name, 'REQUIRED'))
    else if (!isFine) problems.push(field)
  }
  const isWord = (value: unknown, pattern: RegExp): boolean => typeof value === 'string' && value.length <= longestText && pattern.test(value)
  check('Area', area, isWord(area, /^[a-z][a-z0-9-]*$/), wrong('Area', 'WRONG_TYPE.word'))
  check('Path', path, isWord(path, /^(\/[a-z0-9][a-z0-9_-]*)+$/), wrong('Path', 'WRONG_TYPE.path'))
  check('Group', group, isWord(group, /^[\p{L}\p{N}][\p{L}\p{N} &/-]*$/u), wrong('Group', 'WRONG_TYPE.name', { limit: longestText }))
  const texts = (name: string, value: unknown): StudioTexts => {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    const given: Readonly<Record<string, unknown>> = isObject ? { ...value } : {}
    check(name, value, isObject && Object.keys(given).every((key) => languages.some((language) => language === key)), wrong(name, 'WRONG_TYPE.object'))
    if (isObject) for (const language of languages) if (!isText(given[language])) problems.push(given[language] === undefined || given[language] === '' ? wrong(`${name}.${language}`, 'REQUIRED') : wrong(`${name}.${language}`, 'WRONG_TYPE.name', { limit: longestText }))
    return { en: String(given['en'] ?? '').trim(), cn: String(given['cn'] ?? '').trim(), id: String(given['id'] ?? '').trim() }
  }
  const [titles, sentences] = [texts('Title', title), texts('Sentence', sentence)]
  check('HasOwnPermission', hasOwn, typeof hasOwn === 'boolean', wrong('HasOwnPermission', 'WRONG_TYPE.boolean'))
  check('Note', note, typeof note === 'string' && note.length <= longestNote && !note.includes('\u0000'), wrong('Note', 'WRONG_TYPE.name', { limit: longestNote }))
  const { Dashboard: dashboard, Type: type, Measure: measure, By: by = '', Title: tileTitle } = (typeof tile === 'object' && tile !== null ? tile : {}) as Readonly<Record<string, unknown>>
  const hasTile = tile !== undefined && tile !== null
  const tileType = tileTypes.find((one) => one === type)
  if (hasTile) {
    for (const [name, value] of Object.entries({ Dashboard: dashboard, Measure: measure, By: by })) check(`Tile.${name}`, value, typeof value === 'string' && value.length <= longestText, wrong(`Tile.${name}`, 'WRONG_TYPE.word'))
    check('Tile.Type', type, tileType !== undefined, wrong('Tile.Type', 'NOT_A_CHOICE', { choices: tileTypes }))
  }
  const tileTitles = hasTile ? texts('Tile.Title', tileTitle) : undefined
  if (problems.length > 0) return invalid(problems)
  return {
    ...(tileTitles === undefined || tileType === undefined ? {} : { Tile: { Dashboard: String(dashboard), Type: tileType, Measure: String(measure), By: String(by), Title: tileTitles } }),
    Area: String(area), Path: String(path), Group: String(group).trim(), Title: titles, Sentence: sentences, HasOwnPermission: hasOwn === true, Note: String(note).trim(),
  }
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value.trim() !== '' && value.length <= longestText && !/\p{Cc}/u.test(value)
}
