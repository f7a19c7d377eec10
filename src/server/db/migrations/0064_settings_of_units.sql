-- Values of units for settings that hold everywhere, or that nothing asks for yet, never had an effect: they are offered no longer. What finance settles for a
-- company a unit may settle for itself.
update setting_oms s set is_active = false where s.operating_unit_id is not null and (
  s.key in ('allow_self_approval', 'approval_default', 'csv_bom', 'csv_decimal', 'csv_delimiter', 'exclude_cash', 'overdue_ignore_dispute')
  or (s.key not in ('payment_backdate_days', 'temp_cn_max_days') and exists (select 1 from setting_oms g where g.key = s.key and g.operating_unit_id is null and not g.is_active)));
