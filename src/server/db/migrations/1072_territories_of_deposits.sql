-- What is carried to the bank leaves the customer's side under the territory it came in under.
ALTER TABLE "cash_deposit_line" ADD COLUMN "territory_id" bigint REFERENCES "territory";
CREATE INDEX "cash_deposit_line_territory_id_idx" ON "cash_deposit_line" ("territory_id");
