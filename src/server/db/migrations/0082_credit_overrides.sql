-- An override holds for what it was given for: the total the order had, and the reasons it stood against. One from before holds for the order as it is.
alter table credit_override add column amount numeric(18,2);
alter table credit_override add column block_codes text[] not null default '{}';
update credit_override v set amount = o.total, block_codes = '{CL01,CL02,CL03,CL05,CL06}' from sales_order o where o.id = v.sales_order_id;
alter table credit_override alter column amount set not null;

-- Whether a month is open for orders is asked of every order: kept in memory like the other masters.
create trigger accounting_period_marked before insert or update or delete or truncate on accounting_period for each statement execute function mark_masters('setup');
