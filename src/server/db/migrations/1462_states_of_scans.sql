-- A scan is in work while it is read, then open until somebody accepts it.

UPDATE "vendor_invoice_ocr" SET "status" = CASE WHEN "reading" IN ('QUEUED', 'READING') THEN 8 ELSE 1 END WHERE "status" = 0;
