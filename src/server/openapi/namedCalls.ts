import { exportFormats, exportLanguages, exportStates } from '#api/export.ts'
import { importRowStates } from '#api/import.ts'
import { dateOrders, delimiters, encodings } from '#domain/importing/fileForm.ts'
import { spans } from '#api/view.ts'
import { comparisons } from '#meta/day.ts'
import { mostRecipients, scheduleEvery, scheduleStates } from '#api/schedule.ts'
import { mostReaders, proposalStates, tileTypes } from '#api/studio.ts'
import { longestDraft } from '#meta/authoring/draft.ts'
import { mostCounted } from '#api/home.ts'
import type { Operation } from './operation.ts'
import { pictureTypes, shownTypes } from '#api/files.ts'
import { longestComment } from '#api/comments.ts'
import { closedObject, day, flag, id, listOf, moment, objectOf, orNull, ref, text, whole, type Schema } from './schema.ts'

type Detail = Partial<Pick<Operation, 'isStream' | 'body' | 'isForm' | 'isUpload' | 'isFile' | 'answer' | 'guards' | 'accessText' | 'screens' | 'parameters' | 'description'>>

const choices = listOf(objectOf({ ID: id, code: text, name: text }))
const invoices = objectOf({ invoiceOptions: listOf(ref('InvoiceOption')), invoices: listOf(ref('InvoiceOption')), records: listOf(ref('InvoiceOption')) })
const codes: Schema = { anyOf: [listOf(text), { type: 'string', description: 'Comma list.' }] }
const nothing = objectOf({})
const upload = objectOf({ file: { type: 'string', contentMediaType: 'application/octet-stream' } })
const comment = closedObject({ Text: { ...text, minLength: 1, maxLength: longestComment }, Mentions: { ...listOf(id), description: 'Users named in the text as `@Name`.' } }, ['Mentions'])
const ofRecord = 'Permission and scope are those of the record; documents and master data have them.'
const viewParts = { Name: { type: 'string', minLength: 1, maxLength: 80 }, RoleID: orNull(id), IsDefault: flag, Definition: ref('ViewDefinition') }
const exportJob = objectOf({
  ID: id, Title: text, Format: { type: 'string', enum: [...exportFormats] }, State: { type: 'string', enum: [...exportStates] }, RowsTotal: orNull(whole), RowsDone: whole, FileName: text,
  FileKey: { ...orNull(text), description: 'For POST /api/v1/general/download.' }, Bytes: orNull(whole), CreatedAt: moment, FinishedAt: orNull(moment), Problem: orNull(objectOf({ text, key: text, params: { type: 'object' } }, ['key', 'params'])),
})
const ofBatch = 'Whoever sent the file, or may import the same and sees the whole company.'
const importRow = objectOf({
  RowNo: whole, State: { type: 'string', enum: [...importRowStates] }, Cells: listOf(text),
  Errors: listOf(objectOf({ column: text, code: text, text, key: text, params: { type: 'object' }, isWarning: flag, suggestions: listOf(text) }, ['key', 'params', 'isWarning', 'suggestions'])),
  Records: listOf(objectOf({ entity: text, id, name: text })),
})
const exported = closedObject(
  {
    screen: { type: 'string', description: 'Id of a list or report screen.' },
    format: { type: 'string', enum: [...exportFormats] },
    language: { type: 'string', enum: [...exportLanguages] },
    columns: { ...listOf(closedObject({ name: text, width: { type: 'number', minimum: 0, maximum: 10_000 }, isPinned: flag }, ['width', 'isPinned'])), minItems: 1, maxItems: 200 },
    search: text,
    filter: ref('Condition'),
    sort: { ...listOf(closedObject({ field: text, dir: { type: 'string', enum: ['asc', 'desc'] } })), maxItems: 8 },
    groupBy: { ...listOf(closedObject({ field: text, by: { type: 'string', enum: [...spans] } }, ['by'])), maxItems: 2, description: 'Sub-totals, outer group first.' },
    hasTotals: flag,
    parameters: { type: 'object', additionalProperties: text, description: 'Parameters of a report, by name.' },
    summary: {
      ...closedObject({ rows: { ...listOf(text), maxItems: 3 }, across: text, compare: { type: 'string', enum: [...comparisons] } }, ['across', 'compare']),
      description: 'A report in groups, named by their keys (`customer_code`, `doc_date:month`); `columns` are then its measures.',
    },
  },
  ['search', 'filter', 'sort', 'groupBy', 'parameters', 'summary'],
)
const studio = { guards: ['studio-create'], screens: ['/studio'] }
const draftText: Schema = { type: 'string', maxLength: longestDraft, description: 'A report as its JSON file.' }
const studioQuestion = { IsSummary: flag, Query: { type: 'object', description: 'As the query of a report or of its summary.' } } as const
const finding = objectOf({ path: text, line: whole, column: whole, severity: { type: 'string', enum: ['error', 'warning'] }, code: text, message: text })
const studioPerson = objectOf({ ID: id, Name: text, RoleName: text })
const studioDraft = objectOf({ ID: id, Version: whole, Name: text, Source: text, UpdatedAt: moment, Readers: listOf(studioPerson) })
const sharedDraft = objectOf({ ID: id, Name: text, OwnerName: text, UpdatedAt: moment })
const studioProposal = objectOf({
  ID: id, DraftID: { type: ['integer', 'null'] }, Title: text, Screen: text, Path: text, Note: text, OwnerName: text, IsOwn: flag, CreatedAt: moment, State: { type: 'string', enum: [...proposalStates] }, Files: listOf(text),
})
const threeTexts = closedObject({ en: text, cn: text, id: text })
const tile = closedObject({ Dashboard: text, Type: { type: 'string', enum: [...tileTypes] }, Measure: text, By: { ...text, description: 'Key of a group; empty: a single figure.' }, Title: threeTexts }, ['By'])
const publication = closedObject({ Area: text, Path: text, Group: text, Title: threeTexts, Sentence: threeTexts, HasOwnPermission: flag, Note: text, Tile: tile }, ['HasOwnPermission', 'Note', 'Tile'])
const schedulePerson = objectOf({ ID: id, Name: text, RoleName: text })
const scheduleTime = {
  Every: { type: 'string', enum: [...scheduleEvery] }, Weekdays: { ...listOf({ type: 'integer', minimum: 1, maximum: 7 }), description: '1 Monday to 7 Sunday.' },
  MonthDay: { type: 'integer', minimum: 1, maximum: 31 }, At: { type: 'string', pattern: '^([01]\\d|2[0-3]):[0-5]\\d$' }, Zone: { ...text, description: 'As `Asia/Jakarta`.' },
} as const
const schedule = objectOf({
  ID: id, Version: whole, Name: text, Request: exported, ...scheduleTime, IsActive: flag, NextAt: moment, LastAt: orNull(moment), LastState: orNull({ type: 'string', enum: [...scheduleStates] }),
  Problem: orNull(objectOf({ text, key: text, params: { type: 'object' } }, ['key', 'params'])), Recipients: listOf(schedulePerson),
})
const scheduleParts = {
  Name: { type: 'string', minLength: 1, maxLength: 80 }, Request: { ...exported, description: 'As for POST /api/v1/export; a parameter may be a day that moves: `now:month-start`.' }, ...scheduleTime,
  RecipientIDs: { ...listOf(id), minItems: 1, maxItems: mostRecipients }, IsActive: flag,
}
const notificationState = { unread: whole, latest: { ...whole, description: 'Id of the newest; 0: none.' } }
const roleScreens = ['/setting/role', '/setting/role/add', '/setting/role/edit/{id}']
const roleMenuScreens = ['/setting/role-menu', '/setting/role-menu/edit/{id}']

function choosing(resource: string): string {
  return `A screen of the menu where one is chosen, or ${resource}-view.`
}

function paying(resource: string): string {
  return `${resource}-view, or to enter payments.`
}

const scanState = objectOf({
  Reading: { type: 'string', enum: ['QUEUED', 'READING', 'READ', 'FAILED'] }, Problem: orNull(text), Page: whole, PagesThere: whole, Pages: listOf(objectOf({ Width: whole, Height: whole, IsDigital: flag })),
  Readings: listOf(objectOf({ Field: text, Value: text, Confidence: whole, Page: whole, X: { type: 'number' }, Y: { type: 'number' }, W: { type: 'number' }, H: { type: 'number' } })),
})

/** Bodies, answers and permissions of calls that stand for themselves, by method and path as registered. */
export const namedCalls: Readonly<Record<string, Detail>> = {
  'GET /api/v1/import-batch/:id': { accessText: ofBatch, answer: objectOf({ record: ref('ImportBatch') }) },
  'GET /api/v1/import-batch/:id/rows': { accessText: ofBatch, answer: objectOf({ recordsTotal: whole, rows: listOf(importRow) }) },
  'PUT /api/v1/import-batch/:id/rows': {
    accessText: ofBatch,
    body: closedObject({ cells: { ...listOf(closedObject({ row: whole, column: text, value: text })), minItems: 1, maxItems: 500 }, everywhere: { ...flag, description: 'In every row that has the same value.' } }, ['everywhere']),
    answer: objectOf({ record: ref('ImportBatch') }),
  },
  'PUT /api/v1/import-batch/:id/reading': {
    accessText: ofBatch,
    body: closedObject({
      form: closedObject({ encoding: { type: 'string', enum: [...encodings] }, delimiter: { type: 'string', enum: [...delimiters] }, decimal: { type: 'string', enum: ['.', ','] }, date: { type: 'string', enum: [...dateOrders] }, sheet: text }, ['encoding', 'delimiter', 'decimal', 'date', 'sheet']),
      sheet: text,
      mapping: listOf(orNull(text)),
    }, ['form', 'sheet', 'mapping']),
    answer: objectOf({ record: ref('ImportBatch') }),
  },
  'POST /api/v1/import-batch/:id/commit': { accessText: ofBatch, answer: objectOf({ record: ref('ImportBatch') }) },
  'POST /api/v1/import-batch/:id/undo': { accessText: ofBatch, answer: objectOf({ record: ref('ImportBatch') }) },
  'POST /api/v1/import-batch/:id/cancel': { accessText: ofBatch, answer: objectOf({ record: ref('ImportBatch') }) },
  'GET /api/v1/import-batch/:id/failed': { accessText: ofBatch, isFile: true },
  'GET /api/v1/ocr/:id': { guards: ['vendor-invoice-ocr-view'], answer: scanState },
  'GET /api/v1/ocr/:id/page/:page': { guards: ['vendor-invoice-ocr-view'], isFile: true },
  'POST /api/v1/ocr/:id/stop': { guards: ['vendor-invoice-ocr-edit'], answer: scanState },
  'POST /api/v1/export': { description: 'Needs the permissions to see and to export what the screen shows.', body: exported, isFile: true },
  'POST /api/v1/export/job': { body: exported, answer: objectOf({ record: exportJob }) },
  'GET /api/v1/export/job': { answer: objectOf({ records: listOf(exportJob) }) },
  'GET /api/v1/export/job/:id': { answer: objectOf({ record: exportJob }) },
  'POST /api/v1/export/job/:id/cancel': { answer: objectOf({ record: exportJob }) },
  'GET /api/v1/report-schedule': { answer: objectOf({ records: listOf(schedule) }) },
  'GET /api/v1/report-schedule/people': { description: 'Needs the permissions to see and to export the report.', answer: objectOf({ records: listOf(schedulePerson) }) },
  'POST /api/v1/report-schedule': {
    description: 'Needs the permissions to see and to export the report; it goes out with what the owner may see on that day, to users whose role may open it.',
    body: closedObject(scheduleParts, ['Weekdays', 'MonthDay', 'IsActive']), answer: objectOf({ record: schedule }),
  },
  'PUT /api/v1/report-schedule/:id': { description: 'Changes what it names.', body: closedObject(scheduleParts, Object.keys(scheduleParts)), answer: objectOf({ record: schedule }) },
  'DELETE /api/v1/report-schedule/:id': { answer: nothing },
  'POST /api/v1/report-schedule/:id/send': { answer: objectOf({ record: schedule }) },
  'GET /api/v1/studio/dataset': { ...studio, answer: objectOf({ datasets: listOf({ type: 'object' }), reports: listOf(objectOf({ Screen: text, Title: text, Dataset: text })) }) },
  'GET /api/v1/studio/report/:screen': { ...studio, answer: objectOf({ Source: text }) },
  'POST /api/v1/studio/check': { ...studio, body: closedObject({ Source: draftText }), answer: objectOf({ findings: listOf(finding), screen: { type: 'object' } }, ['screen']) },
  'POST /api/v1/studio/preview': {
    ...studio, description: 'Needs the permission of the dataset too; cancelled after 10 seconds.', body: closedObject({ Source: draftText, ...studioQuestion }), answer: { type: 'object' },
  },
  'GET /api/v1/studio/draft': { ...studio, answer: objectOf({ records: listOf(studioDraft), shared: listOf(sharedDraft), proposals: listOf(studioProposal) }) },
  'POST /api/v1/studio/draft': { ...studio, body: closedObject({ Name: text, Source: draftText }), answer: objectOf({ record: studioDraft }) },
  'GET /api/v1/studio/draft/:id': { ...studio, answer: objectOf({ record: studioDraft }) },
  'PUT /api/v1/studio/draft/:id': { ...studio, description: 'Changes what it names.', body: closedObject({ Name: text, Source: draftText }, ['Name', 'Source']), answer: objectOf({ record: studioDraft }) },
  'DELETE /api/v1/studio/draft/:id': { ...studio, answer: nothing },
  'GET /api/v1/studio/draft/:id/people': { ...studio, answer: objectOf({ records: listOf(schedulePerson) }) },
  'PUT /api/v1/studio/draft/:id/readers': { ...studio, body: closedObject({ UserIDs: { ...listOf(id), maxItems: mostReaders } }), answer: objectOf({ record: studioDraft }) },
  'GET /api/v1/studio/draft/:id/publication': { ...studio, answer: objectOf({ record: publication, areas: listOf(text), groups: listOf(objectOf({ name: text, label: text })) }) },
  'POST /api/v1/studio/draft/:id/proposal': {
    ...studio, description: 'Writes the files, checks all schema files with them, and keeps the difference.', body: publication, answer: objectOf({ record: studioProposal }),
  },
  'GET /api/v1/studio/proposal': { guards: ['studio-approve'], screens: ['/studio/proposals'], answer: objectOf({ records: listOf(studioProposal) }) },
  'GET /api/v1/studio/proposal/:id/patch': { accessText: 'Whoever proposed it, and reviewers.', isFile: true },
  'POST /api/v1/studio/proposal/:id/withdraw': { ...studio, body: closedObject({}), answer: objectOf({ record: studioProposal }) },
  'GET /api/v1/studio/trial/:id': { accessText: 'Its owner and whom he shares it with; the permission of its dataset.', answer: objectOf({ record: { type: 'object' } }) },
  'POST /api/v1/studio/trial/:id/answer': { accessText: 'Its owner and whom he shares it with; the permission of its dataset.', body: closedObject(studioQuestion), answer: { type: 'object' } },
  'GET /api/v1/health': { answer: objectOf({ version: text, migration: whole, database: { type: 'string', enum: ['embedded', 'postgres'] }, backup: orNull(day) }, ['backup']) },
  'POST /api/v1/login': {
    description: 'Form data, url-encoded or multipart, or the same keys as JSON. Five failures in a row lock the account for 15 minutes.',
    body: objectOf({ email: { type: 'string', format: 'email' }, password: { type: 'string', format: 'password' }, user_agent: text }, ['user_agent']),
    isForm: true,
    answer: objectOf({ token: text, log_login_id: text }),
  },
  'POST /api/v1/logout': { answer: nothing },
  'GET /api/v1/setting/user-personal': { answer: ref('CurrentUser') },
  'GET /api/v1/menu': { answer: objectOf({ records: listOf(ref('MenuEntry')) }) },
  'GET /api/v1/permission': { answer: objectOf({ records: listOf(objectOf({ GuardName: text })) }) },
  'PUT /api/v1/setting/tos': { body: objectOf({ agree: { const: true }, version: text }, ['version']), answer: nothing },
  'POST /api/account/v1/auth/reset-password': {
    body: objectOf({ email: { type: 'string', format: 'email' }, host: { type: 'string', description: 'Origin of the page, for the link in the mail.' } }, ['host']),
    answer: nothing,
  },
  'GET /api/account/v1/auth/reset-password/:token': { answer: nothing },
  'POST /api/account/v1/auth/reset-password/:token': { body: objectOf({ password: { type: 'string', minLength: 8, maxLength: 200 } }), answer: nothing },
  'GET /api/v1/auth/providers': { answer: objectOf({ records: listOf(objectOf({ name: text, url: text })) }) },
  'GET /api/v1/auth/start': { description: 'A browser goes there; it leads to the provider, or back to /auth/callback when that cannot be reached.' },
  'POST /api/v1/callback': {
    body: objectOf({ code: text, source_app_id: { const: 'oms' }, state: text, iss: text, user_agent: text }, ['state', 'iss', 'user_agent']),
    answer: objectOf({ token: text, log_login_id: text }),
  },
  'GET /api/v1/version': { answer: objectOf({ version: text, commit: text, migration: whole, database: { type: 'string', enum: ['embedded', 'postgres'] } }) },
  'GET /api/v1/legal/:kind': {
    answer: objectOf({ kind: { type: 'string', enum: ['TERMS', 'PRIVACY'] }, version: text, language: text, title: text, body: text, effective_from: day }),
  },
  'PUT /api/v1/legal/:kind': {
    guards: ['legal-text-create'],
    body: objectOf({
      version: text,
      effective_from: day,
      texts: objectOf({ en: objectOf({ title: text, body: text }), cn: objectOf({ title: text, body: text }), id: objectOf({ title: text, body: text }) }, ['cn', 'id']),
    }),
    answer: objectOf({ kind: text, version: text, effective_from: day }),
  },
  'GET /api/v1/change-log': {
    answer: objectOf({ records: listOf(objectOf({ version: text, released_at: day, kind: { type: 'string', enum: ['NEW', 'IMPROVED', 'FIXED'] }, title: text, body: orNull(text) })) }),
  },
  'GET /api/v1/profile': { answer: ref('Profile') },
  'PUT /api/v1/profile': {
    description: 'Any of name, phone, language, theme, density, date_format.',
    body: { type: 'object', properties: { name: text, phone: orNull(text), language: orNull(text), theme: orNull(text), density: orNull(text), date_format: orNull(text) }, additionalProperties: false, minProperties: 1 },
    answer: ref('Profile'),
  },
  'GET /api/v1/profile/sessions': {
    answer: objectOf({
      records: listOf(objectOf({ id, browser: text, system: text, ip: text, created_at: moment, last_seen_at: moment, expires_at: moment, is_current: flag })),
    }),
  },
  'DELETE /api/v1/profile/sessions/:id': { answer: nothing },
  'DELETE /api/v1/profile/sessions': { answer: objectOf({ ended: whole }) },
  'PUT /api/v1/profile/password': {
    description: 'At least 8 characters with a letter and a digit, and none of the last three passwords. Other sessions of the user end.',
    body: objectOf({ old_password: text, new_password: { type: 'string', minLength: 8, maxLength: 200 } }),
    answer: nothing,
  },
  'GET /api/v1/role/:id/guards': {
    guards: ['role-view'],
    screens: roleScreens,
    answer: objectOf({ records: listOf(objectOf({ ID: id, GuardName: text, Module: text, Source: text, Description: orNull(text), Held: flag })) }),
  },
  'PUT /api/v1/role/:id/guards': { guards: ['role-edit'], screens: roleScreens, body: objectOf({ GuardNames: listOf(text) }), answer: objectOf({ record: objectOf({ ID: id, Version: whole }) }) },
  'GET /api/v1/role/:id/menus': {
    guards: ['role-view', 'role-menu-view'],
    screens: [...roleScreens, ...roleMenuScreens],
    answer: objectOf({
      records: listOf(objectOf({ ID: id, Name: text, Label: orNull(text), Url: orNull(text), Icon: orNull(text), ParentID: orNull(id), SortOrder: whole, CanView: flag })),
    }),
  },
  'PUT /api/v1/role/:id/menus': { guards: ['role-menu-edit'], screens: roleMenuScreens, body: objectOf({ MenuIDs: listOf(id) }), answer: objectOf({ record: objectOf({ ID: id, Version: whole }) }) },
  'GET /api/v1/view': { answer: objectOf({ records: listOf(ref('SavedView')), roles: listOf(objectOf({ ID: id, Name: text })) }) },
  'POST /api/v1/view': {
    description: 'Everybody shares with his own role. Another role, and what a role sees first, need the permission saved-view-edit.',
    body: closedObject({ Screen: text, ...viewParts }, ['RoleID', 'IsDefault']),
    answer: objectOf({ record: ref('SavedView') }),
  },
  'PUT /api/v1/view/:id': { description: 'Changes what it names.', body: closedObject(viewParts, Object.keys(viewParts)), answer: objectOf({ record: ref('SavedView') }) },
  'DELETE /api/v1/view/:id': { answer: nothing },
  'GET /api/v1/approval/mine': {
    answer: objectOf({
      records: listOf(objectOf({ DocType: text, Transition: text, Count: whole, Url: text })),
      requests: listOf(objectOf({
        ID: id, DocType: text, Transition: text, DocCode: text, PartyName: orNull(text), Amount: text, RequestedByName: text, RequestedAt: moment, DueAt: orNull(moment), IsLate: flag, Url: text,
      })),
    }),
  },
  'GET /api/v1/approval/request/:requestId': {
    description: 'For whoever holds the queue of such requests.',
    answer: objectOf({
      ID: id, Changes: listOf(ref('ProposedChange')), ReasonsNow: listOf(ref('ApprovalReason')), FactsAsked: listOf(ref('ApprovalFact')), FactsNow: listOf(ref('ApprovalFact')),
      Steps: listOf(objectOf({ Action: text, Level: whole, ActorName: text, OnBehalfOfName: orNull(text), At: moment, Note: orNull(text) })),
      Approvers: listOf(objectOf({ Kind: text, Name: text, Level: whole })),
    }),
  },
  'POST /api/v1/approval/:requestId/withdraw': {
    description: 'What was asked for does not happen; a new record becomes a draft again.',
    body: closedObject({}, []),
    answer: objectOf({ ID: id, text, key: text }),
  },
  'GET /api/v1/delegation': { answer: objectOf({ given: listOf(ref('Delegation')), received: listOf(ref('Delegation')), docTypes: listOf(text) }) },
  'GET /api/v1/delegation/people': { answer: objectOf({ records: listOf(objectOf({ ID: id, Name: text, RoleName: text, DocTypes: listOf(text), IsNarrower: flag })) }) },
  'POST /api/v1/delegation': {
    description: 'Whoever takes over must hold the permission himself; a turn is handed over, not a right.',
    body: closedObject({ ToUserID: id, ValidFrom: day, ValidTo: day, DocTypes: listOf(text), Note: orNull(text) }, ['DocTypes', 'Note']),
    answer: objectOf({ record: ref('Delegation') }),
  },
  'POST /api/v1/delegation/:id/end': { answer: objectOf({ record: ref('Delegation') }) },
  'GET /api/v1/home': {
    answer: objectOf({
      approvals: listOf(objectOf({ DocType: text, Transition: text, Count: whole, Url: text })),
      announcements: listOf(objectOf({ ID: id, Code: text, Title: text, Body: text, ValidFrom: day })),
      starred: listOf(objectOf({ ID: id, Url: text, Title: text, SortOrder: whole })),
    }),
  },
  'GET /api/v1/home/counts': {
    answer: objectOf({ records: listOf(objectOf({ Label: text, Count: { type: 'integer', minimum: 0, maximum: mostCounted + 1 }, Tone: text, Url: text })), steps: listOf(objectOf({ Label: text, Url: text, IsDone: flag })) }),
  },
  'PUT /api/v1/home/starred': { description: 'Pages not named stand after them, in their present order.', body: objectOf({ IDs: listOf(id) }), answer: nothing },
  'GET /api/v1/search': {
    description: 'Only kinds of records the user may read and whose page is in his menu, within his territories.',
    answer: objectOf({ records: listOf(objectOf({ Entity: text, ID: id, Code: text, Name: orNull(text), Date: orNull(day), Status: orNull(whole), Url: text })) }),
  },
  'GET /api/v1/notifications': { answer: objectOf({ ...notificationState, records: listOf(ref('Notification')), more: flag }) },
  'PUT /api/v1/notifications/read': { answer: objectOf(notificationState) },
  'PUT /api/v1/notifications/:id/read': { answer: objectOf(notificationState) },
  'GET /api/v1/notifications/stream': {
    isStream: true,
    description: 'Event `state` holds unread and latest, event `notification` one Notification. A comment every 25 seconds shows that the connection lives.',
  },
  'GET /api/v1/master/operating-unit-with-territory/personal': {
    answer: objectOf({
      records: listOf(
        objectOf({ ID: id, Code: text, Name: text, IsHeadOffice: flag, Territories: listOf(objectOf({ ID: id, TerritoryID: id, TerritoryCode: text, TerritoryName: text })) }),
      ),
    }),
  },
  'GET /api/v1/master/customer/options': { accessText: choosing('customer'), answer: objectOf({ records: choices, rows: choices, customer: choices }) },
  'GET /api/v1/payment/customer': { accessText: choosing('customer'), answer: objectOf({ customer: choices, records: choices }) },
  'GET /api/v1/master/customer-address/ship-to': {
    accessText: choosing('customer'),
    answer: objectOf({ records: listOf(objectOf({ ID: id, Code: text, address: text, City: orNull(text) })) }),
  },
  'GET /api/v1/customer-accounts': {
    accessText: choosing('customer'),
    answer: objectOf({ records: listOf(objectOf({ ID: id, bank_name: orNull(text), bank_id: orNull(id), account_name: orNull(text), account_number: text })) }),
  },
  'GET /api/v1/invoice/for-options': { accessText: paying('invoice'), description: 'Without customer and numbers the answer is empty.', answer: invoices },
  'POST /api/v1/invoice/for-options': { accessText: paying('invoice'), body: objectOf({ codes, customer_id: id }, ['codes', 'customer_id']), answer: invoices },
  'GET /api/v1/payment/validate/code-invoice': { accessText: paying('invoice'), description: 'An empty list: there is no such open invoice.', answer: invoices },
  'POST /api/v1/payment/validate/code-invoice': { accessText: paying('invoice'), body: objectOf({ invoice_code: codes, customer_id: id }, ['customer_id']), answer: invoices },
  'GET /api/v1/payment/reason-outstanding': { accessText: choosing('reason'), answer: objectOf({ reason_outstanding: listOf(ref('ReasonOption')), records: listOf(ref('ReasonOption')) }) },
  'GET /api/v1/cash-bank/form-bank/:id': {
    accessText: choosing('house-bank'),
    answer: objectOf({
      operatingUnitBank: listOf(objectOf({ ID: id, Code: text, Name: text, BankName: text, BankID: id, AccountNumber: text, AccountName: text })),
      records: listOf(objectOf({ ID: id, Code: text, Name: text })),
    }),
  },
  'GET /api/v1/payment/credit-note/list': { accessText: paying('credit-note'), answer: objectOf({ creditNote: listOf(ref('CreditOption')), records: listOf(ref('CreditOption')) }) },
  'GET /api/v1/payment/cust-deposit/list': { accessText: paying('customer-deposit'), answer: objectOf({ customerDeposit: listOf(ref('CreditOption')), records: listOf(ref('CreditOption')) }) },
  'GET /api/v1/data/:resource/:id/attachments': { description: ofRecord, answer: objectOf({ records: listOf(ref('Attachment')), CanAttach: flag }) },
  'POST /api/v1/data/:resource/:id/attachments': {
    description: `${ofRecord} At most 25 MB; what a file is is found in the file itself. Programs are refused.`,
    isUpload: true,
    body: upload,
    answer: objectOf({ record: ref('Attachment') }),
  },
  'DELETE /api/v1/data/:resource/:id/attachments/:fileId': { answer: nothing },
  'GET /api/v1/data/:resource/:id/comments': { description: ofRecord, answer: objectOf({ records: listOf(ref('Comment')) }) },
  'POST /api/v1/data/:resource/:id/comments': { description: ofRecord, body: comment, answer: objectOf({ record: ref('Comment') }) },
  'PUT /api/v1/data/:resource/:id/comments/:commentId': { body: comment, answer: objectOf({ record: ref('Comment') }) },
  'DELETE /api/v1/data/:resource/:id/comments/:commentId': { answer: nothing },
  'GET /api/v1/data/:resource/:id/counts': { description: ofRecord, answer: ref('RecordCounts') },
  'GET /api/v1/data/:resource/:id/people': { description: ofRecord, answer: objectOf({ records: listOf(objectOf({ ID: id, Name: text, RoleName: text, PictureKey: orNull(text) })) }) },
  'POST /api/v1/general/upload': {
    description: 'What the field takes and how large is in the schema of the entity. The file belongs to nobody else until a record is saved with `ID` as the value of the field; after fourteen days it is removed.',
    accessText: 'The permission to create or edit such a record.',
    isUpload: true,
    body: upload,
    parameters: [
      { name: 'resource', in: 'query', required: true, schema: text, description: 'Resource of the record.' },
      { name: 'field', in: 'query', required: true, schema: text, description: 'Name of the field.' },
    ],
    answer: objectOf({ record: objectOf({ ID: id, Name: text, Type: text, Size: whole, Key: text, CanPreview: flag }) }),
  },
  'POST /api/v1/general/download': {
    description: '`data` is the link itself.',
    body: objectOf({ key: text }),
    answer: { type: 'string', format: 'uri' },
  },
  'GET /api/v1/general/preview': {
    description: `For ${shownTypes.join(', ')}.`,
    parameters: [{ name: 'key', in: 'query', required: true, schema: text, description: 'Key of the file.' }],
    answer: objectOf({ file: { type: 'string', contentEncoding: 'base64' }, type: text }),
  },
  'GET /api/v1/general/file/:token/:name': { description: 'The name only tells the browser what to call it.', isFile: true },
  'POST /api/v1/profile/picture': { description: `${pictureTypes.join(', ')}, at most 2 MB.`, isUpload: true, body: upload, answer: objectOf({ picture_key: text }) },
  'DELETE /api/v1/profile/picture': { answer: nothing },
}
