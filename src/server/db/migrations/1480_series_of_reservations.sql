-- The series of reservations is named after what it numbers.
UPDATE "number_series" SET "doc_type" = 'reservation' WHERE "code" = 'RSV' AND "doc_type" = 'stock_reservation';
