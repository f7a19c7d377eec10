alter table stock_reservation drop constraint stock_reservation_kind_check;
ALTER TABLE "stock_reservation" ADD CHECK ("kind" IN ('ORDER', 'MANUAL', 'KITTING', 'CANVAS'));
