-- Documents in another currency than the books': what they and their open rests are worth in the books, and amounts of the document beside those of the ledger.

alter table invoice add column base_total numeric(18, 2) not null default 0, add column base_settled numeric(18, 2) not null default 0, add column base_remaining numeric(18, 2) not null default 0;
alter table credit_note add column base_total numeric(18, 2) not null default 0, add column base_settled numeric(18, 2) not null default 0, add column base_remaining numeric(18, 2) not null default 0;
alter table customer_deposit add column base_total numeric(18, 2) not null default 0, add column base_settled numeric(18, 2) not null default 0, add column base_remaining numeric(18, 2) not null default 0;
alter table ar_payment add column base_total numeric(18, 2) not null default 0;
-- Null where the document is in the currency of the books: then it is the amount.
alter table ar_allocation add column base_amount numeric(18, 2), add column source_base numeric(18, 2);
alter table journal_line add column fx_currency text, add column fx_amount numeric(18, 2);

create function base_of_total() returns trigger language plpgsql as $$
begin
  new.base_total := round(new.total * new.rate, 2);
  new.base_remaining := case when new.remaining = 0 then 0 when new.rate = 1 then new.remaining else new.base_total - new.base_settled end;
  return new;
end $$;

create function base_of_amount() returns trigger language plpgsql as $$
begin
  new.base_total := round(new.amount * new.rate, 2);
  new.base_remaining := case when new.remaining = 0 then 0 when new.rate = 1 then new.remaining else new.base_total - new.base_settled end;
  return new;
end $$;

create function base_of_receipt() returns trigger language plpgsql as $$
begin
  new.base_total := round(new.amount * new.rate, 2);
  return new;
end $$;

update invoice set base_total = total, base_settled = total - remaining, base_remaining = remaining;
update credit_note set base_total = total, base_settled = total - remaining, base_remaining = remaining;
update customer_deposit set base_total = amount, base_settled = amount - remaining, base_remaining = remaining;
update ar_payment set base_total = amount;

create trigger invoice_base before insert or update of total, remaining, rate, base_settled on invoice for each row execute function base_of_total();
create trigger credit_note_base before insert or update of total, remaining, rate, base_settled on credit_note for each row execute function base_of_total();
create trigger customer_deposit_base before insert or update of amount, remaining, rate, base_settled on customer_deposit for each row execute function base_of_amount();
create trigger ar_payment_base before insert or update of amount, rate on ar_payment for each row execute function base_of_receipt();

-- Credit is reckoned in the currency of the books.
create or replace view v_customer_exposure as
with parts as (
  select c.id as customer_id, c.operating_unit_id, c.territory_id, c.customer_group_id,
    (select coalesce(sum(i.base_remaining), 0) from invoice i where i.customer_id = c.id and i.status in (1, 2)) as ar_open,
    coalesce(orders.gini, 0) as gini_value,
    coalesce(orders.open, 0) as so_open,
    (select coalesce(sum(p.base_total), 0) from ar_payment p where p.customer_id = c.id and p.status in (1, 2) and p.method in ('GIRO', 'CHEQUE')) as giro_uncleared,
    (select coalesce(sum(t.remaining), 0) from cn_temporary t where t.customer_id = c.id and t.status in (1, 2)) as temp_cn_open,
    case when settings.credit_note then (select coalesce(sum(n.base_remaining), 0) from credit_note n where n.customer_id = c.id and n.status in (1, 2)) else 0 end
      + case when settings.deposit then (select coalesce(sum(d.base_remaining), 0) from customer_deposit d where d.customer_id = c.id and d.status in (1, 2)) else 0 end as credit_usable
  from customer c
  cross join lateral (
    select coalesce((select (f.exposure_includes ->> 'credit_note')::boolean from setting_finance f order by f.id limit 1), true) as credit_note,
      coalesce((select (f.exposure_includes ->> 'deposit')::boolean from setting_finance f order by f.id limit 1), true) as deposit,
      coalesce((select (s.value #>> '{}')::boolean from setting_oms s where s.key = 'exclude_cash' and s.operating_unit_id is null), true) as exclude_cash
  ) settings
  left join lateral (
    select round(sum(l.total * o.rate * (l.delivered_qty - l.billed_qty) / l.qty_base), 2) as gini,
      round(sum(case when settings.exclude_cash and (p.is_cash or p.is_cod) then 0
        else l.total * o.rate * (l.qty_base - l.delivered_qty - l.cancelled_qty) / l.qty_base end), 2) as open
    from sales_order o
    join sales_order_line l on l.sales_order_id = o.id and l.qty_base > 0
    left join payment_term p on p.id = o.payment_term_id
    where o.customer_id = c.id and o.status in (1, 2)
  ) orders on true
)
select *, 0::numeric(18,2) as consigned_stock, ar_open + gini_value + so_open + giro_uncleared + temp_cn_open - credit_usable as exposure from parts;
