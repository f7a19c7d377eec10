-- Money of van sales is counted by the cashier as that of deliveries is.
alter table cod_reconciliation alter column delivery_plan_id drop not null;
ALTER TABLE "cod_reconciliation" ADD COLUMN "canvas_request_id" bigint REFERENCES "canvas_request";
CREATE INDEX "cod_reconciliation_canvas_request_id_idx" ON "cod_reconciliation" ("canvas_request_id");
drop view cod_in_field;
create view cod_in_field as
select p.id, p.code, p.operating_unit_id, p.territory_id, p.customer_id, p.delivery_plan_id, p.canvas_request_id, p.delivery_order_id, p.payment_date, p.amount
from ar_payment p
where p.status = 1 and (p.method = 'COD' or (p.method = 'CIT' and p.canvas_request_id is not null)) and p.handed_over_on is null and p.pending_transition is null
  and not exists (select 1 from cash_deposit_line l join cash_deposit d on d.id = l.cash_deposit_id where l.ar_payment_id = p.id and d.status in (1, 3, 4));
