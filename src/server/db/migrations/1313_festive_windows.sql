-- Festive assortments count once they are approved; orders are held to their windows and quotas.

alter table product_festive add column status smallint not null default 1;
alter table product_festive add constraint product_festive_status_check check ("status" in (0, 4, 1, 9));
create index product_festive_status_idx on product_festive (status);

create trigger product_festive_marked before insert or update or delete or truncate on product_festive for each statement execute function mark_masters('setup');
create trigger product_festive_line_marked before insert or update or delete or truncate on product_festive_line for each statement execute function mark_masters('setup');
create trigger item_marked_setup before insert or update or delete or truncate on item for each statement execute function mark_masters('setup');
