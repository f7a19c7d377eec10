-- How much of the principal's share of a credit note debit notes have claimed, and what is left to claim.

ALTER TABLE "credit_note" ADD COLUMN "principal_claimed" numeric(18,2) NOT NULL DEFAULT 0;
UPDATE "credit_note" n SET "principal_claimed" = x.amount
FROM (SELECT l.credit_note_id, sum(l.amount) AS amount FROM debit_note_line l JOIN debit_note d ON d.id = l.debit_note_id
  WHERE l.credit_note_id IS NOT NULL AND l.basis = 'PROMOTION' AND d.status IN (1, 2, 3) GROUP BY l.credit_note_id) x
WHERE x.credit_note_id = n.id;
ALTER TABLE "credit_note" ADD COLUMN "principal_left" numeric(18,2) GENERATED ALWAYS AS ("principal_share" - "principal_claimed") STORED;
