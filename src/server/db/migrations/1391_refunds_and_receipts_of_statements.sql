-- A deposit paid back is a payment the bank shows, and what vendors pay is shown by it too.

ALTER TABLE "ap_payment" ALTER COLUMN "vendor_id" DROP NOT NULL;
ALTER TABLE "ap_payment" ADD COLUMN "customer_id" bigint REFERENCES "customer";
ALTER TABLE "ap_payment" ADD COLUMN "deposit_settlement_id" bigint REFERENCES "customer_deposit_settlement";
CREATE INDEX "ap_payment_customer_id_idx" ON "ap_payment" ("customer_id");
CREATE INDEX "ap_payment_deposit_settlement_id_idx" ON "ap_payment" ("deposit_settlement_id");
alter table ap_payment add constraint ap_payment_payee check (case when kind = 'DEPOSIT_REFUND' then customer_id is not null and deposit_settlement_id is not null else vendor_id is not null end);
create unique index ap_payment_refund_key on ap_payment (deposit_settlement_id) where status <> 7;

ALTER TABLE "bank_statement_line" ADD COLUMN "supplier_receipt_id" bigint REFERENCES "supplier_receipt";
ALTER TABLE "bank_statement_line" DROP CONSTRAINT "bank_statement_line_match_type_check";
ALTER TABLE "bank_statement_line" ADD CONSTRAINT "bank_statement_line_match_type_check" CHECK ("match_type" IN ('NONE', 'PAYMENT', 'DEPOSIT', 'CASH_DEPOSIT', 'CB_DOC', 'AP_PAYMENT', 'SUPPLIER_RECEIPT', 'CHARGE', 'INTEREST', 'UNIDENTIFIED'));
CREATE INDEX "bank_statement_line_supplier_receipt_id_idx" ON "bank_statement_line" ("supplier_receipt_id");

-- What was paid back before waits for the bank under the number of its settlement.
insert into ap_payment (code, status, operating_unit_id, territory_id, doc_date, posting_date, period, currency, rate, created_by, created_at, updated_by, updated_at, approved_at, approved_by, source, kind, customer_id, house_bank_id, method, payee_account, amount, paid_out, deposit_settlement_id)
select code, 1, operating_unit_id, territory_id, doc_date, posting_date, period, currency, rate, created_by, created_at, updated_by, updated_at, approved_at, approved_by, 'SYSTEM', 'DEPOSIT_REFUND', customer_id, house_bank_id, 'TRANSFER', payee_account, refund, refund, id
from customer_deposit_settlement where status = 1 and kind = 'REFUND' and house_bank_id is not null;
