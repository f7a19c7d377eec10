-- An advance with VAT has a tax invoice of its own.

ALTER TABLE "customer_deposit" ADD COLUMN "dpp" numeric(18,2) NOT NULL DEFAULT 0, ADD COLUMN "dpp_other" numeric(18,2) NOT NULL DEFAULT 0, ADD COLUMN "ppn_rate" numeric(7,4) NOT NULL DEFAULT 0;
ALTER TABLE "customer_deposit" ADD COLUMN "tax_invoice_id" bigint REFERENCES "tax_invoice";
CREATE INDEX "customer_deposit_tax_invoice_id_idx" ON "customer_deposit" ("tax_invoice_id");
UPDATE "customer_deposit" d SET "dpp" = d."amount" - d."vat", "dpp_other" = round((d."amount" - d."vat") * t."base_numerator" / t."base_denominator", 2), "ppn_rate" = t."rate"
FROM "tax_code" t WHERE d."vat" > 0 AND t."kind" = 'PPN_OUT' AND t."is_default" AND t."valid_from" <= d."doc_date" AND (t."valid_to" IS NULL OR t."valid_to" >= d."doc_date");

ALTER TABLE "tax_invoice" ADD COLUMN "customer_deposit_id" bigint REFERENCES "customer_deposit";
CREATE INDEX "tax_invoice_customer_deposit_id_idx" ON "tax_invoice" ("customer_deposit_id");
create unique index tax_invoice_live_deposit_idx on tax_invoice (customer_deposit_id) where status not in ('REPLACED', 'CANCELLED');
