import { approvalStates } from '#api/approval.ts'
import { creditSources, deductionKinds } from '#api/payment.ts'
import { problems } from '#api/problems.ts'
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
        { hostname: text, errors: listOf(ref('FieldProblem')), warnings: listOf(ref('Warning')), current: { type: 'object', description: 'VERSION_CONFLICT: the record as it stands now.' } },
        ['errors', 'warnings', 'current'],
      ),
    }),
  },
  FieldProblem: {
    description: 'Where and why one value was refused. `field` is a wire path: `CustomerID`, `Lines[3].Qty`.',
    ...objectOf({ field: text, code: text, text }),
  },
  Warning: { description: 'What a person must acknowledge: send the same call again with its id in the header Acknowledge.', ...objectOf({ id: text, code: text, text }) },
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
  RowResult: { description: 'Outcome for one row of a call on several.', ...objectOf({ ID: id, ok: flag, code: text, text, warnings: listOf(ref('Warning')) }, ['code', 'warnings']) },
  HistoryEntry: objectOf({
    ID: id,
    At: moment,
    ActorName: text,
    Action: text,
    FromStatus: orNull(whole),
    ToStatus: orNull(whole),
    Note: orNull(text),
    Diff: listOf(objectOf({ Field: text, Label: text, From: {}, To: {} })),
  }),
  FlowNode: {
    description: 'A document in the flow. `Key` is unique in the answer, `Parents` name the documents it came from, `Level` counts from the order.',
    ...objectOf({ DocType: text, ID: id, Code: text, Date: day, Status: whole, Amount: orNull(money), Level: whole, Parents: listOf(text), Key: text }),
  },
  JournalView: objectOf({
    ID: id,
    Code: text,
    PostingDate: day,
    SourceEvent: text,
    Description: text,
    TotalDebit: money,
    Lines: listOf(objectOf({ AccountCode: text, AccountName: text, Debit: money, Credit: money, Memo: orNull(text) })),
  }),
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
    Reasons: listOf(objectOf({ code: text, text, value: orNull(text) }, ['value'])),
    CanDecide: { ...flag, description: 'May this user decide it now?' },
  }),
  ApprovalCounts: objectOf(Object.fromEntries(approvalStates.map((state) => [state, whole]))),
  MenuEntry: objectOf({ name: text, url: text, icon: text, order: whole, submenu: listOf(ref('MenuEntry')) }),
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
    password_change_date: { ...moment, description: '`0001-01-01T00:00:00Z`: never changed.' },
  }),
  InvoiceOption: objectOf({ ID: id, Code: text, DocDate: day, DueDate: day, Status: whole, Total: money, Remaining: money }),
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
      Credits: listOf(objectOf({ Source: { type: 'string', enum: creditSources }, SourceID: id, Amount: money })),
      Deductions: listOf(objectOf({ Kind: { type: 'string', enum: deductionKinds }, Amount: money, DocumentNo: orNull(text), DocumentDate: orNull(day) }, ['DocumentNo', 'DocumentDate'])),
    },
    ['ID', 'InvoiceCode', 'ReasonID', 'ReasonText'],
  ),
}

/** Keys every workflow action and decision accepts. */
export function reasonProperties(): Readonly<Record<string, Schema>> {
  return { ReasonID: orNull(id), ReasonText: orNull({ type: 'string', maxLength: 2_000 }), Note: orNull({ type: 'string', maxLength: 2_000 }) }
}
