-- Every line billed, reversals with their signs turned; an invoice cancelled within its period never was. The discount of a line is told apart by the
-- steps of its order line, to the cent: each step takes what the steps up to it come to, less what those before it came to.
-- Goods cost what they cost in the currency of the books; beside other amounts that is told in theirs, at the rate of the invoice.
select
  x.invoice_line_id, x.invoice_id, x.bill_code, x.billing_type, x.bill_date, x.currency, x.rate, x.sales_order_id, x.so_code, x.gi_code, x.customer_id, x.customer_code, x.customer_name,
  x.operating_unit_id, x.operating_unit_code, x.territory_id, x.territory_code, x.sales_channel_code, x.salesman_id, x.salesman_name, x.item_code, x.item_name, x.principal_name,
  x.brand_name, x.is_free, x.uom, x.qty, x.qty_base, x.gross,
  case when cardinality(x.steps) = 0 then x.discount else coalesce(x.steps[1], 0) end as discount_1,
  coalesce(x.steps[2], 0) as discount_2,
  coalesce(x.steps[3], 0) as discount_3,
  coalesce(x.steps[4], 0) as discount_4,
  coalesce(x.steps[5], 0) as discount_5,
  coalesce(x.steps[6], 0) as discount_6,
  coalesce(x.steps[7], 0) as discount_7,
  coalesce(x.steps[8], 0) as discount_8,
  case when cardinality(x.steps) > 8 then x.discount - (select sum(s) from unnest(x.steps[1:8]) s) else 0 end as discount_9,
  x.discount, x.promo, x.dpp, x.dpp_other, x.ppn, x.total, x.cogs, x.dpp - x.cogs as margin
from (
  select
    il.id as invoice_line_id, i.id as invoice_id, i.code as bill_code, i.invoice_type as billing_type, i.posting_date as bill_date, case when :in_books then co.base_currency else i.currency end as currency, i.rate,
    so.id as sales_order_id, so.code as so_code, gi.code as gi_code, i.customer_id, c.code as customer_code, c.name as customer_name,
    i.operating_unit_id, ou.code as operating_unit_code, i.territory_id, t.code as territory_code, ch.code as sales_channel_code, i.salesman_id, sm.name as salesman_name,
    it.code as item_code, coalesce(it.name, il.description) as item_name, p.name as principal_name, b.name as brand_name, il.is_free,
    il.uom, il.qty, case when il.uom = sl.uom then il.qty * sl.factor else il.qty end as qty_base,
    il.gross, il.discount, il.promo, il.dpp, il.dpp_other, il.ppn, il.total, round(il.cogs / i.rate, case when :in_books then 12 else 2 end) as cogs,
    array(
      select round(il.discount * s.upto / s.whole, 2) - round(il.discount * (s.upto - s.amount) / s.whole, 2)
      from (select seq, amount, sum(amount) over (order by seq) as upto, sum(amount) over () as whole from sales_order_discount where line_id = il.order_line_id and source <> 'PROMOTION') s
      where s.whole <> 0 order by s.seq
    ) as steps
  from invoice i
  join invoice_line il on il.invoice_id = i.id
  join customer c on c.id = i.customer_id
  left join operating_unit ou on ou.id = i.operating_unit_id
  left join company co on co.id = ou.company_id
  left join territory t on t.id = i.territory_id
  left join sales_channel ch on ch.id = c.sales_channel_id
  left join employee sm on sm.id = i.salesman_id
  left join item it on it.id = il.item_id
  left join business_partner p on p.id = it.principal_id
  left join brand b on b.id = it.brand_id
  left join sales_order_line sl on sl.id = il.order_line_id
  left join sales_order so on so.id = sl.sales_order_id
  left join goods_issue_line gl on gl.id = il.gi_line_id
  left join goods_issue gi on gi.id = gl.goods_issue_id
  where i.status in (1, 2, 3, 7) and i.invoice_type <> 'BEGBAL'
    and i.posting_date between :date_from::date and :date_to::date
    and (:doc_type::text = 'ALL' or i.invoice_type = 'DEBIT_MEMO')
    and :scope
  -- Worked out once a row, and not at all when nobody asks for the steps.
  offset 0
) x
