-- Views, constraints and indexes of the business documents.

-- What was posted stays as it was posted: only the marks of a reversal may be added.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are never changed or deleted', tg_table_name using errcode = 'restrict_violation', constraint = tg_table_name || '_immutable';
end $$;

create function keep_posted() returns trigger language plpgsql as $$
declare
  free text[] := tg_argv[0]::text[];
begin
  if (to_jsonb(new) - free) is distinct from (to_jsonb(old) - free) then
    raise exception 'posted rows of % are never changed', tg_table_name using errcode = 'restrict_violation', constraint = tg_table_name || '_immutable';
  end if;
  return new;
end $$;

create trigger journal_kept before update on journal for each row execute function keep_posted('{reversed_by_id,status}');
create trigger journal_never_deleted before delete on journal for each row execute function refuse_change();
create trigger journal_line_immutable before update or delete on journal_line for each row execute function refuse_change();
create trigger stock_movement_immutable before update or delete on stock_movement for each row execute function refuse_change();
create trigger ar_allocation_kept before update on ar_allocation for each row execute function keep_posted('{reversed_at}');
create trigger ar_allocation_never_deleted before delete on ar_allocation for each row execute function refuse_change();

create unique index journal_reversal_key on journal (reversal_of_id) where reversal_of_id is not null;
create unique index stock_movement_reversal_key on stock_movement (reversal_of_id) where reversal_of_id is not null;
create unique index goods_issue_live_key on goods_issue (delivery_order_id) where status in (0, 1, 3);
alter table journal_line add constraint journal_line_one_side check (debit >= 0 and credit >= 0 and (debit > 0) <> (credit > 0));
alter table stock_balance add constraint stock_balance_range check (on_hand >= 0 and reserved >= 0 and reserved <= on_hand);
alter table stock_cost add constraint stock_cost_range check (qty >= 0 and value >= 0 and (qty > 0 or value = 0));
alter table ar_allocation add constraint ar_allocation_positive check (amount > 0);
alter table invoice add constraint invoice_remaining_range check (remaining >= 0 and (invoice_type = 'REVERSAL' or remaining <= total));
alter table credit_note add constraint credit_note_remaining_range check (remaining between 0 and total);
alter table customer_deposit add constraint customer_deposit_remaining_range check (remaining between 0 and amount);
alter table cn_temporary add constraint cn_temporary_remaining_range check (remaining between 0 and amount);

-- Two prices of one item, or two sets of one scope, never hold on the same day. Ranges of one value stand for equality,
-- so that the constraint needs no extension; text goes in by its 64-bit hash.
alter table list_price add constraint list_price_no_overlap exclude using gist (
  int8range(price_set_id, price_set_id, '[]') with &&, int8range(item_id, item_id, '[]') with &&,
  int8range(hashtextextended(uom, 0), hashtextextended(uom, 0), '[]') with &&, numrange(min_qty, min_qty, '[]') with &&,
  daterange(valid_from, valid_to, '[]') with &&);
alter table price_set add constraint price_set_no_overlap exclude using gist (
  int8range(hashtextextended(scope_kind, 0), hashtextextended(scope_kind, 0), '[]') with &&,
  int8range(coalesce(ref_id, 0), coalesce(ref_id, 0), '[]') with &&, daterange(valid_from, valid_to, '[]') with &&)
  where (status = 1 and is_active and (ref_id is not null or scope_kind = 'BASE'));
alter table discount_set add constraint discount_set_no_overlap exclude using gist (
  int8range(hashtextextended(scope_kind, 0), hashtextextended(scope_kind, 0), '[]') with &&,
  int8range(coalesce(ref_id, 0), coalesce(ref_id, 0), '[]') with &&, daterange(valid_from, valid_to, '[]') with &&)
  where (is_active and (ref_id is not null or scope_kind = 'BASE'));

-- Open items, and the histories that reports rebuild a day from.
create index invoice_open_idx on invoice (customer_id, due_date, id) where status in (1, 2);
create index ar_allocation_live_idx on ar_allocation (invoice_id, posting_date) include (amount, reversed_at);
create index ar_allocation_source_idx on ar_allocation (source_type, source_id);
create index ar_allocation_document_idx on ar_allocation (document_type, document_id);
create index journal_line_partner_idx on journal_line (partner_id, account_id) where partner_id is not null;
create index stock_movement_history_idx on stock_movement (item_id, warehouse_id, posting_date);
create index stock_movement_document_idx on stock_movement (doc_type, doc_id);
create index sales_order_open_idx on sales_order (customer_id) where status in (1, 2);
create index goods_issue_unbilled_idx on goods_issue (posting_date, id) where status = 1;
create index stock_reservation_open_idx on stock_reservation (order_line_id) where open_qty > 0;
create index credit_note_open_idx on credit_note (customer_id) where status in (1, 2);
create index customer_deposit_open_idx on customer_deposit (customer_id) where status in (1, 2);
create index cn_temporary_open_idx on cn_temporary (customer_id) where status in (1, 2);
create index ar_payment_giro_idx on ar_payment (customer_id) where status in (1, 2) and method in ('GIRO', 'CHEQUE');
create index list_price_lookup_idx on list_price (item_id, price_set_id);

-- Credit exposure of every customer, from the documents. Limits depend on the day and are added by whoever asks.
create view v_customer_exposure as
with parts as (
  select c.id as customer_id, c.operating_unit_id, c.territory_id, c.customer_group_id,
    (select coalesce(sum(i.remaining), 0) from invoice i where i.customer_id = c.id and i.status in (1, 2)) as ar_open,
    coalesce(orders.gini, 0) as gini_value,
    coalesce(orders.open, 0) as so_open,
    (select coalesce(sum(p.amount), 0) from ar_payment p where p.customer_id = c.id and p.status in (1, 2) and p.method in ('GIRO', 'CHEQUE')) as giro_uncleared,
    (select coalesce(sum(t.remaining), 0) from cn_temporary t where t.customer_id = c.id and t.status in (1, 2)) as temp_cn_open,
    case when settings.credit_note then (select coalesce(sum(n.remaining), 0) from credit_note n where n.customer_id = c.id and n.status in (1, 2)) else 0 end
      + case when settings.deposit then (select coalesce(sum(d.remaining), 0) from customer_deposit d where d.customer_id = c.id and d.status in (1, 2)) else 0 end as credit_usable
  from customer c
  cross join lateral (
    select coalesce((select (f.exposure_includes ->> 'credit_note')::boolean from setting_finance f order by f.id limit 1), true) as credit_note,
      coalesce((select (f.exposure_includes ->> 'deposit')::boolean from setting_finance f order by f.id limit 1), true) as deposit,
      coalesce((select (s.value #>> '{}')::boolean from setting_oms s where s.key = 'exclude_cash' and s.operating_unit_id is null), true) as exclude_cash
  ) settings
  left join lateral (
    select round(sum(l.total * (l.delivered_qty - l.billed_qty) / l.qty_base), 2) as gini,
      round(sum(case when settings.exclude_cash and (p.is_cash or p.is_cod) then 0
        else l.total * (l.qty_base - l.delivered_qty - l.cancelled_qty) / l.qty_base end), 2) as open
    from sales_order o
    join sales_order_line l on l.sales_order_id = o.id and l.qty_base > 0
    left join payment_term p on p.id = o.payment_term_id
    where o.customer_id = c.id and o.status in (1, 2)
  ) orders on true
)
select *, 0::numeric(18,2) as consigned_stock, ar_open + gini_value + so_open + giro_uncleared + temp_cn_open - credit_usable as exposure from parts;

-- Order lines with something left to plan. What may be planned now is what is reserved and not planned yet, plus free stock.
create view sales_order_line_due as
select l.id, o.id as sales_order_id, o.code as order_code, o.operating_unit_id, o.territory_id, o.customer_id, o.ship_to_id, o.warehouse_id, o.doc_date,
  coalesce(l.requested_date, o.requested_date) as requested_date, l.item_id, i.base_uom as uom, l.is_free, l.qty_base as ordered_qty, l.delivered_qty, l.planned_qty,
  open.qty as open_qty, l.reserved_qty, stock.free as available_qty,
  least(open.qty, greatest(l.reserved_qty - l.planned_qty, 0) + stock.free) as plannable_qty,
  round(open.qty * i.weight_kg, 3) as weight
from sales_order_line l
join sales_order o on o.id = l.sales_order_id
join item i on i.id = l.item_id
cross join lateral (select l.qty_base - l.delivered_qty - l.cancelled_qty - l.planned_qty as qty) open
cross join lateral (
  select coalesce((select sum(b.on_hand - b.reserved) from stock_balance b where b.item_id = l.item_id and b.warehouse_id = o.warehouse_id), 0) as free
) stock
where o.status in (1, 2) and o.order_type in ('REG', 'TRADER') and open.qty > 0;

-- Goods issues not invoiced yet, with what invoicing them comes to at the agreed prices.
create view billing_due as
select g.id, g.code, g.operating_unit_id, g.territory_id, g.customer_id, orders.bill_to_id, orders.payment_term_id, orders.salesman_id, g.posting_date, g.delivery_order_id,
  orders.sales_order_id, orders.order_code, orders.po_number, c.billing_rule, (c.billing_trigger = 'GI' or d.status = 3) as is_ready, orders.amount, g.cost
from goods_issue g
join customer c on c.id = g.customer_id
join delivery_order d on d.id = g.delivery_order_id
cross join lateral (
  select min(o.id) as sales_order_id, string_agg(distinct o.code, ', ') as order_code, string_agg(distinct o.po_number, ', ') as po_number, min(o.bill_to_id) as bill_to_id,
    min(o.payment_term_id) as payment_term_id, min(o.salesman_id) as salesman_id, round(sum(l.total * (gl.qty - gl.billed_qty - gl.returned_qty) / l.qty_base), 2) as amount
  from goods_issue_line gl
  join sales_order_line l on l.id = gl.order_line_id
  join sales_order o on o.id = l.sales_order_id
  where gl.goods_issue_id = g.id
) orders
where g.status = 1;
