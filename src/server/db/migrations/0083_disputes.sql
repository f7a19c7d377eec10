-- A reason for paying less may mean that the customer disputes the rest: the invoice then does not count as overdue against his credit.
alter table reason add column is_dispute boolean not null default false;
update reason set is_dispute = true where code in ('R04', 'R05');
