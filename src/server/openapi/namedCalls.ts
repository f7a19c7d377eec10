import type { Operation } from './operation.ts'
import { day, flag, id, listOf, objectOf, orNull, ref, text, whole, type Schema } from './schema.ts'

type Detail = Partial<Pick<Operation, 'body' | 'isForm' | 'answer' | 'guards' | 'parameters' | 'description'>>

const choices = listOf(objectOf({ ID: id, code: text, name: text }))
const invoices = objectOf({ invoiceOptions: listOf(ref('InvoiceOption')), invoices: listOf(ref('InvoiceOption')), records: listOf(ref('InvoiceOption')) })
const codes: Schema = { anyOf: [listOf(text), { type: 'string', description: 'Comma list.' }] }
const nothing = objectOf({})

/** Bodies, answers and permissions of calls that stand for themselves, by method and path as registered. */
export const namedCalls: Readonly<Record<string, Detail>> = {
  'GET /api/v1/health': { answer: objectOf({ version: text, migration: whole, database: { type: 'string', enum: ['embedded', 'postgres'] } }) },
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
  'PUT /api/v1/profile/password': {
    description: 'At least 8 characters with a letter and a digit. Other sessions of the user end.',
    body: objectOf({ old_password: text, new_password: { type: 'string', minLength: 8, maxLength: 200 } }),
    answer: nothing,
  },
  'GET /api/v1/role/:id/guards': {
    guards: ['role-view'],
    answer: objectOf({ records: listOf(objectOf({ ID: id, GuardName: text, Module: text, Source: text, Description: orNull(text), Held: flag })) }),
  },
  'PUT /api/v1/role/:id/guards': { guards: ['role-edit'], body: objectOf({ GuardNames: listOf(text) }), answer: objectOf({ record: objectOf({ ID: id, Version: whole }) }) },
  'GET /api/v1/role/:id/menus': {
    guards: ['role-view', 'role-menu-view'],
    answer: objectOf({
      records: listOf(objectOf({ ID: id, Name: text, Label: orNull(text), Url: orNull(text), Icon: orNull(text), ParentID: orNull(id), SortOrder: whole, CanView: flag })),
    }),
  },
  'PUT /api/v1/role/:id/menus': { guards: ['role-menu-edit'], body: objectOf({ MenuIDs: listOf(id) }), answer: objectOf({ record: objectOf({ ID: id, Version: whole }) }) },
  'GET /api/v1/approval/mine': { answer: objectOf({ records: listOf(objectOf({ DocType: text, Transition: text, Count: whole, Url: text })) }) },
  'GET /api/v1/home': {
    answer: objectOf({
      approvals: listOf(objectOf({ DocType: text, Transition: text, Count: whole, Url: text })),
      announcements: listOf(objectOf({ ID: id, Code: text, Title: text, Body: text, ValidFrom: day })),
      starred: listOf(objectOf({ ID: id, Url: text, Title: text, SortOrder: whole })),
    }),
  },
  'GET /api/v1/master/operating-unit-with-territory/personal': {
    answer: objectOf({
      records: listOf(
        objectOf({ ID: id, Code: text, Name: text, IsHeadOffice: flag, Territories: listOf(objectOf({ ID: id, TerritoryID: id, TerritoryCode: text, TerritoryName: text })) }),
      ),
    }),
  },
  'GET /api/v1/master/customer/options': { guards: ['customer-view'], answer: objectOf({ records: choices, rows: choices, customer: choices }) },
  'GET /api/v1/payment/customer': { guards: ['customer-view'], answer: objectOf({ customer: choices, records: choices }) },
  'GET /api/v1/master/customer-address/ship-to': {
    guards: ['customer-view'],
    answer: objectOf({ records: listOf(objectOf({ ID: id, Code: text, address: text, City: orNull(text) })) }),
  },
  'GET /api/v1/customer-accounts': {
    guards: ['customer-view'],
    answer: objectOf({ records: listOf(objectOf({ ID: id, bank_name: orNull(text), bank_id: orNull(id), account_name: orNull(text), account_number: text })) }),
  },
  'GET /api/v1/invoice/for-options': { guards: ['invoice-view'], description: 'Without customer and numbers the answer is empty.', answer: invoices },
  'POST /api/v1/invoice/for-options': { guards: ['invoice-view'], body: objectOf({ codes, customer_id: id }, ['codes', 'customer_id']), answer: invoices },
  'GET /api/v1/payment/validate/code-invoice': { guards: ['invoice-view'], description: 'An empty list: there is no such open invoice.', answer: invoices },
  'POST /api/v1/payment/validate/code-invoice': { guards: ['invoice-view'], body: objectOf({ invoice_code: codes, customer_id: id }, ['customer_id']), answer: invoices },
  'GET /api/v1/payment/reason-outstanding': { answer: objectOf({ reason_outstanding: listOf(ref('ReasonOption')), records: listOf(ref('ReasonOption')) }) },
  'GET /api/v1/cash-bank/form-bank/:id': {
    answer: objectOf({
      operatingUnitBank: listOf(objectOf({ ID: id, Code: text, Name: text, BankName: text, BankID: id, AccountNumber: text, AccountName: text })),
      records: listOf(objectOf({ ID: id, Code: text, Name: text })),
    }),
  },
  'GET /api/v1/payment/credit-note/list': { guards: ['credit-note-view'], answer: objectOf({ creditNote: listOf(ref('CreditOption')), records: listOf(ref('CreditOption')) }) },
  'GET /api/v1/payment/cust-deposit/list': { guards: ['customer-deposit-view'], answer: objectOf({ customerDeposit: listOf(ref('CreditOption')), records: listOf(ref('CreditOption')) }) },
}
