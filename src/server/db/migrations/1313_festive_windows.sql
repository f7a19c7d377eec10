-- Festive assortments count once they are approved; orders are held to their windows and quotas.

ALTER TABLE "product_festive" ADD COLUMN "status" smallint NOT NULL DEFAULT 1;
ALTER TABLE "product_festive" ADD CONSTRAINT "product_festive_status_check" CHECK ("status" IN (0, 4, 1, 9));

create trigger product_festive_marked before insert or update or delete or truncate on product_festive for each statement execute function mark_masters('item');
create trigger product_festive_line_marked before insert or update or delete or truncate on product_festive_line for each statement execute function mark_masters('item');
