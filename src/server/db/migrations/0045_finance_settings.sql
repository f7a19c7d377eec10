-- What finance settles for a company: accounts of open items, aging, what lowers exposure, and from which amount buyers withhold.
alter table setting_finance
  add column aging_1 integer not null default 7, add column aging_2 integer not null default 14, add column aging_3 integer not null default 30,
  add column aging_4 integer not null default 60, add column aging_5 integer not null default 90,
  add column include_credit_note boolean not null default true, add column include_deposit boolean not null default true,
  add column receivable_account_id bigint references account, add column collector_account_id bigint references account,
  add column payable_account_id bigint references account, add column other_payable_account_id bigint references account,
  add column collected_above_government numeric(18,2) not null default 2000000, add column collected_above_other numeric(18,2) not null default 10000000,
  add column withheld_above numeric(18,2) not null default 2000000, add column version integer not null default 1;

create index setting_finance_receivable_account_id_idx on setting_finance (receivable_account_id);
create index setting_finance_collector_account_id_idx on setting_finance (collector_account_id);
create index setting_finance_payable_account_id_idx on setting_finance (payable_account_id);
create index setting_finance_other_payable_account_id_idx on setting_finance (other_payable_account_id);

update setting_finance set
  aging_1 = coalesce((aging_bucket ->> 0)::integer, 7), aging_2 = coalesce((aging_bucket ->> 1)::integer, 14), aging_3 = coalesce((aging_bucket ->> 2)::integer, 30),
  aging_4 = coalesce((aging_bucket ->> 3)::integer, 60), aging_5 = coalesce((aging_bucket ->> 4)::integer, 90),
  include_credit_note = coalesce((exposure_includes ->> 'credit_note')::boolean, true), include_deposit = coalesce((exposure_includes ->> 'deposit')::boolean, true),
  receivable_account_id = (select id from account where code = '112101'), collector_account_id = (select id from account where code = '112102'),
  payable_account_id = (select id from account where code = '211101'), other_payable_account_id = (select id from account where code = '211102'),
  temp_cn_max_days = coalesce((select s.number from setting_oms s where s.key = 'temp_cn_max_days' and s.operating_unit_id is null), temp_cn_max_days),
  payment_backdate_days = coalesce((select s.number from setting_oms s where s.key = 'payment_backdate_days' and s.operating_unit_id is null), payment_backdate_days);

-- The company's values stand with the finance settings; a unit may still have its own.
update setting_oms set is_active = false where key in ('temp_cn_max_days', 'payment_backdate_days') and operating_unit_id is null;
