-- A write-off drafted out of a receipt says which.

ALTER TABLE "write_off" ADD COLUMN "ar_payment_id" bigint REFERENCES "ar_payment";
CREATE INDEX "write_off_ar_payment_id_idx" ON "write_off" ("ar_payment_id");
