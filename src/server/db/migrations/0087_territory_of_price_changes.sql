-- A change of the prices of one customer, or of one territory, is of that territory, and so is what is asked about it.
update price_change p set territory_id = coalesce(c.territory_id, p.scope_territory_id)
from price_change q left join customer c on c.id = q.scope_customer_id where q.id = p.id and p.territory_id is null and coalesce(c.territory_id, q.scope_territory_id) is not null;
update approval_request r set territory_id = p.territory_id
from price_change p where r.doc_type = 'price_change' and r.doc_id = p.id and r.territory_id is null and p.territory_id is not null;
