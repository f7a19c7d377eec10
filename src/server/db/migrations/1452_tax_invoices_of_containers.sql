-- A container lost bears VAT: it has a tax invoice as an invoice has.

ALTER TABLE "container_move" ADD COLUMN "dpp_other" numeric(18,2) NOT NULL DEFAULT 0;
ALTER TABLE "container_move" ADD COLUMN "ppn_rate" numeric(7,4) NOT NULL DEFAULT 0;
UPDATE "container_move" m SET "dpp_other" = round(m."dpp" * t."base_numerator" / t."base_denominator", 2), "ppn_rate" = t."rate" FROM "tax_code" t WHERE m."kind" = 'LOST' AND m."ppn" > 0 AND t."is_default";

ALTER TABLE "tax_invoice" ALTER COLUMN "invoice_id" DROP NOT NULL;
ALTER TABLE "tax_invoice" ADD COLUMN "container_move_id" bigint REFERENCES "container_move";
CREATE INDEX "tax_invoice_container_move_id_idx" ON "tax_invoice" ("container_move_id");
create unique index tax_invoice_live_container_idx on tax_invoice (container_move_id) where status not in ('REPLACED', 'CANCELLED');
