-- Whom a promotion is for may be said by a kind and a code, as files say it.
ALTER TABLE "promotion_scope" ADD COLUMN "ref_code" text;
