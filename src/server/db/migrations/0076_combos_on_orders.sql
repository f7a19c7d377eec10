-- A combo that is not stocked explodes on the order: its parts are the lines, and each says which combo it came out of.
alter table sales_order_line
  add column combo_item_id bigint references item,
  add column combo_no integer,
  add column combo_qty numeric(18,3),
  add column combo_uom text,
  add column combo_price numeric(18,4);
create index sales_order_line_combo_item_id_idx on sales_order_line (combo_item_id) where combo_item_id is not null;

-- Combos are part of what pricing keeps in memory.
create trigger combo_marked before insert or update or delete or truncate on combo for each statement execute function mark_masters('pricing');
create trigger combo_component_marked before insert or update or delete or truncate on combo_component for each statement execute function mark_masters('pricing');
