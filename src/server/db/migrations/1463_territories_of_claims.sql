-- A claim of a credit note is seen by those who see the territory of that.

ALTER TABLE "debit_note_line" ADD COLUMN "territory_id" bigint REFERENCES "territory";
UPDATE "debit_note_line" l SET "territory_id" = n.territory_id FROM "credit_note" n WHERE n.id = l.credit_note_id;
CREATE INDEX "debit_note_line_territory_id_idx" ON "debit_note_line" ("territory_id");
