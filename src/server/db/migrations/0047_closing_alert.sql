-- Closing a month of sales warns of deliveries unbilled for so long: the setting has an effect and is offered again.
update setting_oms set is_active = true where key = 'gin_unbilled_alert_days';
