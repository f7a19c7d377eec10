-- Orders look at minimums, quotas and allocation rules; they are kept in memory until one of them changes.
do $$
declare
  marked text;
begin
  foreach marked in array array['minimum_order_quantity', 'sales_quota', 'allocation_rule'] loop
    execute format('create trigger %I before insert or update or delete or truncate on %I for each statement execute function mark_masters(%L)', marked || '_marked', marked, 'setup');
  end loop;
end $$;

-- Every way of giving out money that a receipt can propose.
alter table allocation_rule drop constraint allocation_rule_method_check;
alter table allocation_rule add check
  (method in ('FIFO_ORDER', 'FAIR_SHARE', 'RESERVED_PCT', 'OLDEST_DUE', 'INVOICE_DATE', 'SMALLEST', 'EXACT_MATCH', 'PROPORTIONAL'));

-- Behaviour no document has yet is not offered.
update setting_oms set is_active = false
where key in ('atp_includes_inbound', 'billing_run_auto_max', 'canvas_shortage', 'gin_unbilled_alert_days', 'password_days', 'post_unidentified', 'session_days', 'so_expiry_days');
