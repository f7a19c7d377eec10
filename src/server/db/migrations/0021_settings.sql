-- Menu entries are changed by somebody, at some time, like other settings.
ALTER TABLE "menu"
  ADD COLUMN "created_by" bigint REFERENCES "app_user",
  ADD COLUMN "created_at" timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN "updated_by" bigint REFERENCES "app_user",
  ADD COLUMN "updated_at" timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN "version" integer NOT NULL DEFAULT 1;
