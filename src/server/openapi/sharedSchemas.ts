import { dateFormats, profileDensities, profileLanguages, profileThemes, type Preferences } from '#api/account.ts'
import { approvalStates } from '#api/approval.ts'
import { importWorks } from '#api/import.ts'
import { notificationKinds } from '#api/notification.ts'
import { creditSources, deductionKinds } from '#api/payment.ts'
import { problems } from '#api/problems.ts'
import { matches, pins, spans } from '#api/view.ts'
import { operators } from '#meta/condition.ts'
import { closedObject, day, flag, id, listOf, moment, money, objectOf, orNull, ref, text, whole, type Schema } from './schema.ts'

const operand: Schema = {
  anyOf: [
    text,
    { type: 'number' },
    flag,
    closedObject({ field: text }),
    closedObject({ user: text }),
    closedObject({ now: { const: 'date' } }),
    closedObject({ param: text }),
  ],
}

const preferences: Readonly<Record<keyof Preferences, Schema>> = {
  language: orNull({ type: 'string', enum: profileLanguages }),
  theme: orNull({ type: 'string', enum: profileThemes }),
  density: orNull({ type: 'string', enum: profileDensities }),
  date_format: orNull({ type: 'string', enum: dateFormats }),
}
/** A sentence in English, and its message key with what fills it, to be said in any language. */
const said: Readonly<Record<string, Schema>> = {
  text,
  key: { ...text, description: 'Message key of the sentence.' },
  params: { type: 'object', description: 'What fills its placeholders: text, numbers, message keys (`{"key": …}`) or lists of them.' },
}
const saidOptional = ['key', 'params'] as const

/** Schemas of the answers and bodies that do not depend on an entity. */
export const sharedSchemas: Readonly<Record<string, Schema>> = {
  Envelope: {
    description: 'The shape of every answer. `code` repeats the HTTP status.',
    ...objectOf({ code: { const: 200 }, status: { const: 'success' }, message: text, data: objectOf({ hostname: text }) }),
  },
  Problem: {
    description: 'The shape of every refusal. `status` says which, `message` what happened and what to do next.',
    ...objectOf({
      code: { type: 'integer', enum: [...new Set(Object.values(problems))].sort((a, b) => a - b) },
      status: { type: 'string', enum: Object.keys(problems) },
      message: text,
      data: objectOf(
        { hostname: text, key: said['key'] ?? text, params: said['params'] ?? {}, errors: listOf(ref('FieldProblem')), warnings: listOf(ref('Warning')), obstacles: listOf(ref('Obstacle')), current: { type: 'object', description: 'VERSION_CONFLICT: the record as it stands now.' }, incident: { ...text, description: 'INTERNAL: number in the log of the server.' } },
        ['key', 'params', 'errors', 'warnings', 'obstacles', 'current', 'incident'],
      ),
    }),
  },
  FieldProblem: {
    description: 'Where and why one value was refused. `field` is a wire path: `CustomerID`, `Lines[3].Qty`.',
    ...objectOf({ field: text, code: text, ...said }, saidOptional),
  },
  Warning: { description: 'What a person must acknowledge: send the same call again with its id in the header Acknowledge.', ...objectOf({ id: text, code: text, ...said, obstacles: listOf(ref('Obstacle')) }, ['obstacles', ...saidOptional]) },
  ImportBatch: {
    description: 'A file on its way in. Status: 8 being read, 1 checked, 2 imported in part, 3 imported, 5 failed, 6 discarded, 7 taken back.',
    ...objectOf({
      ID: id, Code: text, Screen: text, Sheet: text, FileName: text, FileSize: whole, Status: { type: 'integer', enum: [8, 1, 2, 3, 5, 6, 7] }, Work: orNull({ type: 'string', enum: [...importWorks] }),
      RowsDone: whole, Form: { type: 'object', description: 'How the file is read: encoding, delimiter, decimal sign, order of dates, sheet.' }, Doubt: orNull({ type: 'string', description: 'A number that could be two, as long as nobody has said how numbers are written.' }), Heads: listOf(text), Mapping: listOf(orNull(text)),
      RowsTotal: whole, RowsRight: whole, RowsWarned: whole, RowsWrong: whole, RowsSkipped: whole, RowsImported: whole,
      SameAs: orNull(objectOf({ ID: id, Code: text, At: moment, By: text })), RetryOf: orNull(objectOf({ ID: id, Code: text })), RetriedBy: orNull(objectOf({ ID: id, Code: text })), Problem: orNull(objectOf(said, saidOptional)),
      Waiting: listOf(objectOf({ DocType: text, Count: whole, Path: orNull(text) })),
      UserName: text, CreatedAt: moment, FinishedAt: orNull(moment), Actions: listOf({ type: 'string', enum: ['read', 'commit', 'cancel', 'undo', 'failed'] }),
    }, ['Waiting']),
  },
  Condition: {
    description:
      'Tests over column names (`status`, one hop `customer_id.name`): `{"status": 1}`, `{"total": {"gt": "100.00"}}`; several fields in one object must all hold. Combined by all, any and not.',
    anyOf: [
      closedObject({ all: listOf(ref('Condition')) }),
      closedObject({ any: listOf(ref('Condition')) }),
      closedObject({ not: ref('Condition') }),
      {
        type: 'object',
        additionalProperties: {
          anyOf: [operand, { type: 'object', properties: Object.fromEntries(operators.map((operator) => [operator, { anyOf: [operand, listOf(operand)] }])), additionalProperties: false }],
        },
      },
    ],
  },
  ReasonInput: { description: 'Why something is done.', ...objectOf(reasonProperties(), ['ReasonID', 'ReasonText', 'Note']) },
  RowResult: { description: 'Outcome for one row of a call on several.', ...objectOf({ ID: id, ok: flag, code: text, ...said, warnings: listOf(ref('Warning')), obstacles: listOf(ref('Obstacle')), made: { ...listOf(ref('Obstacle')), description: 'Documents this has brought about.' } }, ['code', 'warnings', 'obstacles', 'made', ...saidOptional]) },
  Obstacle: { description: 'Something that stands in the way, and the page that shows it.', ...objectOf({ ...said, path: text }, ['path', ...saidOptional]) },
  CurrencyTotals: objectOf({ currency: text, count: whole, totals: { type: 'object', additionalProperties: text } }),
  RowGroup: {
    description: 'Rows with the same value. `record` holds the value under its wire key, of a reference with code and name.',
    ...objectOf({ value: {}, record: { type: 'object' }, count: whole, totals: { type: 'object', additionalProperties: text }, currencies: listOf(ref('CurrencyTotals')) }, ['currencies']),
  },
  ViewDefinition: {
    description: 'What is seen of a list or report. Absent members: as the screen says.',
    ...closedObject(
      {
        columns: listOf(closedObject({ name: text, width: { type: 'number', minimum: 20, maximum: 2_000 }, pin: { type: 'string', enum: pins } }, ['width', 'pin'])),
        search: text,
        filters: listOf(closedObject({ field: text, op: { type: 'string', enum: operators }, value: {} })),
        match: { type: 'string', enum: matches },
        preset: text,
        sort: listOf(closedObject({ field: text, dir: { type: 'string', enum: ['asc', 'desc'] } })),
        groupBy: { ...listOf(closedObject({ field: text, by: { type: 'string', enum: spans } }, ['by'])), maxItems: 2 },
        length: { type: 'integer', minimum: 1, maximum: 100_000 },
        parameters: { type: 'object', additionalProperties: text },
        chart: text,
        standard: { type: 'boolean', enum: [true] },
      },
      ['columns', 'search', 'filters', 'match', 'preset', 'sort', 'groupBy', 'length', 'parameters', 'chart', 'standard'],
    ),
  },
  SavedView: objectOf({
    ID: id, Version: whole, Screen: text, Name: text, OwnerID: id, OwnerName: text, RoleID: orNull(id), RoleName: orNull(text), IsOfRole: flag, IsDefault: flag, Definition: ref('ViewDefinition'), CanEdit: flag,
  }),
  Notification: {
    description: '`Title` is a message key that `Params` fill; `document` among them names an entity.',
    ...objectOf({
      ID: id,
      Kind: { type: 'string', enum: [...notificationKinds] },
      Title: text,
      Params: { type: 'object', additionalProperties: text },
      Link: orNull(text),
      CreatedAt: moment,
      ReadAt: orNull(moment),
    }),
  },
  HistoryEntry: objectOf({
    ID: id,
    At: moment,
    ActorName: orNull(text),
    OnBehalfOfName: orNull(text),
    Action: text,
    FromStatus: orNull(whole),
    ToStatus: orNull(whole),
    Note: orNull(text),
    Diff: listOf(objectOf({
      Field: text, Label: text, Type: text, Line: orNull(whole), From: {}, To: {}, Choices: listOf({ type: 'object' }), Parts: listOf(objectOf({ Label: text, Type: text, Value: {}, Choices: listOf({ type: 'object' }) }, ['Choices'])),
    }, ['Choices', 'Parts'])),
  }),
  OfferedAction: objectOf({ Action: text, Refusal: objectOf({ code: text, ...said }, [...saidOptional]) }, ['Refusal']),
  FlowNode: {
    description: 'A document in the flow. `Key` is unique in the answer, `Parents` name the documents it came from, `Level` counts from the order, `Url` is its page where the user may open it.',
    ...objectOf({ DocType: text, ID: id, Code: text, Date: day, Status: whole, Amount: orNull(money), Level: whole, Parents: listOf(text), Key: text, IsReversal: flag, Url: orNull(text) }),
  },
  JournalView: objectOf({
    ID: id,
    Code: text,
    PostingDate: day,
    SourceEvent: text,
    Description: text,
    TotalDebit: money,
    TotalCredit: money,
    ReversalOfCode: orNull(text),
    ReversedByCode: orNull(text),
    Lines: listOf(objectOf({ AccountCode: text, AccountName: text, Debit: money, Credit: money, Memo: orNull(text) })),
  }),
  Attachment: objectOf({
    ID: id,
    Name: text,
    Type: { ...text, description: 'As found in the file itself.' },
    Size: { ...whole, description: 'Bytes.' },
    Key: { ...text, description: 'For general/download and general/preview.' },
    UploadedByID: id,
    UploadedByName: text,
    UploadedAt: moment,
    CanPreview: flag,
    CanDelete: flag,
  }),
  Comment: objectOf({
    ID: id,
    Text: text,
    AuthorID: id,
    AuthorName: text,
    AuthorPictureKey: orNull(text),
    WrittenAt: moment,
    EditedAt: orNull(moment),
    Mentions: listOf(objectOf({ ID: id, Name: text })),
    ChangeUntil: { ...orNull(moment), description: 'The author may change it until then.' },
  }),
  RecordCounts: objectOf({ Attachments: whole, Comments: whole }),
  ApprovalRequestRow: objectOf({
    ID: id,
    DocID: id,
    DocCode: text,
    DocType: text,
    Transition: text,
    Amount: money,
    OperatingUnitCode: text,
    OperatingUnitName: text,
    TerritoryCode: orNull(text),
    TerritoryName: orNull(text),
    PartyCode: orNull(text),
    PartyName: orNull(text),
    RequestedByName: text,
    RequestedAt: moment,
    DueAt: orNull(moment),
    DecidedAt: orNull(moment),
    CurrentLevel: whole,
    MaxLevel: whole,
    Approvers: listOf(text),
    Reasons: listOf(objectOf({ code: text, ...said, value: orNull(text), unit: { type: 'string', enum: ['percent'] } }, ['value', 'unit', ...saidOptional])),
    SlaHours: { ...whole, description: 'Hours the present level has.' },
    CanDecide: { ...flag, description: 'May this user decide it now?' },
    WhyNot: { type: ['string', 'null'], enum: ['MAKER', 'SPOKEN', null], description: 'Why he may not, whoever decides it: he has made the document, or approved this request before.' },
    OnBehalfOfName: { ...orNull(text), description: 'In whose name he would, as a deputy.' },
  }),
  ProposedChange: objectOf({ Field: text, Label: text, From: orNull(objectOf({ text, key: text }, ['key'])), To: orNull(objectOf({ text, key: text }, ['key'])) }),
  ProposedChanges: objectOf({ RequestID: id, ByName: text, At: moment, IsMine: flag, IsNew: flag, Changes: listOf(ref('ProposedChange')) }),
  ApprovalReason: objectOf({ code: text, text, key: text, params: {}, value: orNull(text) }, ['key', 'params']),
  ApprovalFact: objectOf({ group: text, name: text, subject: text, format: text, value: orNull(text), isOver: flag }, ['subject']),
  Delegation: objectOf({
    ID: id, FromUserID: id, FromUserName: text, ToUserID: id, ToUserName: text, ValidFrom: day, ValidTo: day, DocTypes: listOf(text), Note: orNull(text), CreatedAt: moment, EndedAt: orNull(moment),
    EndedByName: orNull(text), State: { type: 'string', enum: ['COMING', 'RUNNING', 'OVER', 'ENDED'] },
    Unable: listOf(objectOf({ UserName: text, DocTypes: listOf(text) })), IsNarrower: flag,
  }),
  ApprovalCounts: objectOf(Object.fromEntries(approvalStates.map((state) => [state, whole]))),
  MenuEntry: objectOf({ name: text, url: text, icon: text, order: whole, submenu: listOf(ref('MenuEntry')), under: text, isQueue: flag, kind: text, scope: text }, ['under', 'isQueue', 'kind', 'scope']),
  CurrentUser: objectOf({
    user_id: id,
    name: text,
    email: text,
    role: text,
    user_session_token: text,
    apps: listOf(text),
    territory_id: { ...whole, description: '0: all territories.' },
    territories: listOf(id),
    operating_unit_id: orNull(id),
    is_show_tos: flag,
    tos_version: orNull(text),
    password_change_date: { ...moment, description: '`0001-01-01T00:00:00Z`: never changed.' },
    picture_key: orNull(text),
    is_password_expired: { ...flag, description: 'Missing, invalid or at least 182 days old: nothing but changing it is allowed.' },
    session_expires_at: moment,
    ...preferences,
  }),
  Profile: objectOf({
    user_id: id,
    name: text,
    email: text,
    phone: orNull(text),
    work_number: orNull(text),
    role: text,
    role_name: text,
    operating_unit: orNull(text),
    territories: { ...listOf(text), description: 'Empty: all territories.' },
    ...preferences,
    password_change_date: moment,
    password_expires_at: orNull(moment),
    tos_agreed_at: orNull(moment),
    tos_version: orNull(text),
    version: whole,
  }),
  InvoiceOption: objectOf({ ID: id, Code: text, DocDate: day, DueDate: day, Status: whole, Total: money, Remaining: money, ShipToID: orNull(id) }),
  CreditOption: objectOf({ ID: id, Code: text, DocDate: day, Remaining: money }),
  ReasonOption: objectOf({ ID: id, Code: text, Name: text, Action: orNull(text), NeedsNote: flag }),
  PaymentLine: objectOf(
    {
      ID: id,
      InvoiceID: id,
      InvoiceCode: text,
      Paid: money,
      ReasonID: orNull(id),
      ReasonText: orNull(text),
      Credits: listOf(objectOf({ Source: { type: 'string', enum: creditSources }, SourceID: id, SourceCode: text, Amount: money }, ['SourceCode'])),
      Deductions: listOf(objectOf({ Kind: { type: 'string', enum: deductionKinds }, Amount: money, DocumentNo: orNull(text), DocumentDate: orNull(day) }, ['DocumentNo', 'DocumentDate'])),
    },
    ['ID', 'InvoiceCode', 'ReasonID', 'ReasonText'],
  ),
}

/** Keys every workflow action and decision accepts. */
export function reasonProperties(): Readonly<Record<string, Schema>> {
  return { ReasonID: orNull(id), ReasonText: orNull({ type: 'string', maxLength: 2_000 }), Note: orNull({ type: 'string', maxLength: 2_000 }) }
}
