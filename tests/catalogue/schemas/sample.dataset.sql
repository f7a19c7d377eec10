select 1 as order_id where :as_of is not null and :scope
