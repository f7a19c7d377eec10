-- A line of a statement may be a payment to a vendor: going out, or coming back.

ALTER TABLE "ap_payment" ADD COLUMN "return_line_id" bigint;
ALTER TABLE "bank_statement_line" ADD COLUMN "ap_payment_id" bigint REFERENCES "ap_payment";
ALTER TABLE "bank_statement_line" DROP CONSTRAINT "bank_statement_line_match_type_check";
ALTER TABLE "bank_statement_line" ADD CONSTRAINT "bank_statement_line_match_type_check" CHECK ("match_type" IN ('NONE', 'PAYMENT', 'DEPOSIT', 'CASH_DEPOSIT', 'CB_DOC', 'AP_PAYMENT', 'CHARGE', 'INTEREST', 'UNIDENTIFIED'));
CREATE INDEX "bank_statement_line_ap_payment_id_idx" ON "bank_statement_line" ("ap_payment_id");
