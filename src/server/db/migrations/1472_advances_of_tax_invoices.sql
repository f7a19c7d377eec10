-- A tax invoice covers what advances with tax invoices of their own do not.

ALTER TABLE "tax_invoice" ADD COLUMN "advance_dpp" numeric(18,2) NOT NULL DEFAULT 0, ADD COLUMN "advance_ppn" numeric(18,2) NOT NULL DEFAULT 0;
