-- Notifications of price changes led to a tab that does not exist, and so to the first one.
update notification set link = replace(link, 'list-price?tab=changes&', 'list-price?tab=price-changes&') where link like '%/list-price?tab=changes&%';
