-- A line is looked for by its item within orders of some days (what a quota has left): both stand in the index.
drop index sales_order_line_item_id_idx;
create index sales_order_line_item_id_idx on sales_order_line (item_id, sales_order_id);

-- A line has a reservation or two: those still open need no index of their own, and without it giving stock out changes no index at all.
drop index stock_reservation_open_idx;

-- The same as journal_reversal_key.
drop index journal_reversal_of_id_idx;

-- Hardly anybody acts for another.
drop index document_log_on_behalf_of_id_idx;
create index document_log_on_behalf_of_id_idx on document_log (on_behalf_of_id) where on_behalf_of_id is not null;

-- Few rows, changed all day: with room beside it a changed row stays on its page, and the indexes stay as they are.
alter table stock_balance set (fillfactor = 50);
alter table stock_cost set (fillfactor = 50);
alter table number_counter set (fillfactor = 50);
