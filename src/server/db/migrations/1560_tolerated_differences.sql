-- What was tolerated when money was booked stays with it. What was booked before was checked then; its limit is what it took.

ALTER TABLE "ar_payment_deduction" ADD COLUMN "tolerance" text, ADD COLUMN "line_limit" numeric(18,2), ADD COLUMN "invoice_limit" numeric(18,2), ADD COLUMN "receipt_limit" numeric(18,2);
UPDATE "ar_payment_deduction" d SET "line_limit" = x."taken", "invoice_limit" = x."of_invoice"
FROM (
  SELECT l."id", d."kind", sum(d."amount") AS "taken", sum(sum(d."amount")) OVER (PARTITION BY l."invoice_id", d."kind") AS "of_invoice"
  FROM "ar_payment_line" l JOIN "ar_payment" p ON p."id" = l."ar_payment_id" JOIN "ar_payment_deduction" d ON d."ar_payment_line_id" = l."id"
  WHERE p."status" IN (1, 2, 3, 7) AND d."kind" IN ('DIFF', 'CASH_DISCOUNT') GROUP BY l."id", l."invoice_id", d."kind"
) x WHERE d."ar_payment_line_id" = x."id" AND d."kind" = x."kind";

ALTER TABLE "ar_payment" ADD COLUMN "over_limit" numeric(18,2);
UPDATE "ar_payment" SET "over_limit" = "unapplied" WHERE "status" IN (1, 2, 3, 7);

ALTER TABLE "invoice_close_request" ADD COLUMN "tolerated" numeric(18,2);
UPDATE "invoice_close_request" SET "tolerated" = round("amount" * "rate", 2) WHERE "status" IN (3, 7);
