-- Where a unit's goods and money are unless said otherwise, whose a warehouse and a vehicle are, who signs in as an employee.
alter table operating_unit
  add column default_warehouse_id bigint constraint operating_unit_default_warehouse_id_fkey references warehouse deferrable initially deferred,
  add column default_cash_account_id bigint constraint operating_unit_default_cash_account_id_fkey references cash_account deferrable initially deferred;
create index operating_unit_default_warehouse_id_idx on operating_unit (default_warehouse_id);
create index operating_unit_default_cash_account_id_idx on operating_unit (default_cash_account_id);

alter table warehouse add column customer_id bigint references customer, add column employee_id bigint references employee;
create index warehouse_customer_id_idx on warehouse (customer_id);
create index warehouse_employee_id_idx on warehouse (employee_id);

alter table vehicle add column transporter_id bigint references business_partner;
create index vehicle_transporter_id_idx on vehicle (transporter_id);

alter table tax_invoice_period add column next text;

alter table employee add column nik text, add column user_id bigint references app_user on delete set null;
create index employee_user_id_idx on employee (user_id);

-- The work number links the two; who signs in with it is kept beside the employee, whichever of them is saved first.
create function user_of_employee() returns trigger language plpgsql as $$
begin
  new.user_id := (select u.id from app_user u where u.work_number = new.work_number order by u.is_active desc, u.id limit 1);
  return new;
end $$;
create trigger employee_user before insert or update of work_number, user_id on employee for each row execute function user_of_employee();

create function employees_of_user() returns trigger language plpgsql as $$
begin
  update employee set user_id = null where work_number = new.work_number or (tg_op = 'UPDATE' and user_id = new.id);
  return null;
end $$;
create trigger app_user_employees after insert or update of work_number, is_active on app_user for each row execute function employees_of_user();
update employee set user_id = null;

-- What orders and receipts have taken so far stays what they take.
update operating_unit o set
  default_warehouse_id = (select w.id from warehouse w where w.operating_unit_id = o.id and w.kind = 'MAIN' and w.is_active order by w.id limit 1),
  default_cash_account_id = (select min(c.id) from cash_account c where c.operating_unit_id = o.id and c.kind = 'CASHIER' and c.is_active having count(*) = 1);

alter table master_change drop constraint master_change_entity_kind_check;
alter table master_change add check (entity_kind in ('CUSTOMER', 'ITEM', 'VENDOR', 'SALESMAN', 'AREA', 'CHANNEL', 'CATEGORY', 'GROUP', 'REASON', 'UNIT', 'WAREHOUSE', 'VEHICLE'));
