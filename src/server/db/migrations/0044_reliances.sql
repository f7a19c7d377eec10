-- Who can decide what waits, and who can administer: what records rely on beyond references.

-- Everybody who can sign in, under each name an approval may be asked of him.
create view approver as
select row_number() over (order by u.id, k.kind, k.ref) as id, k.kind, k.ref, u.id as user_id
from app_user u
join role r on r.id = u.role_id and r.is_active
cross join lateral (
  select 'ROLE' as kind, r.code as ref
  union all select 'USER', lower(u.email)
  union all select 'POSITION', e.position from employee e where e.work_number = u.work_number and e.is_active and e.position is not null
) k
where u.is_active;

-- Words that open requests still wait for, with the row of the matrix they come from.
create view approval_step as
select q.id * 10000 + l.n * 100 + s.n as id, q.id as approval_request_id, q.doc_type, q.doc_id, q.doc_code, q.operating_unit_id, q.territory_id, q.requested_by,
  (l.value ->> 'level')::integer as level, s.value ->> 'kind' as approver_kind,
  case s.value ->> 'kind' when 'USER' then lower(s.value ->> 'ref') else s.value ->> 'ref' end as approver_ref, coalesce(m.code, '') as matrix_code
from approval_request q
cross join lateral jsonb_array_elements(q.levels) with ordinality l(value, n)
cross join lateral jsonb_array_elements(l.value -> 'steps') with ordinality s(value, n)
left join lateral (
  select m.code from approval_matrix m
  where m.doc_type = q.doc_type and m.level = (l.value ->> 'level')::integer and m.approver_kind = s.value ->> 'kind' and m.approver_ref = s.value ->> 'ref'
    and m.condition_code is not distinct from s.value ->> 'condition'
  order by m.is_active desc, num_nonnulls(m.operating_unit_id, m.territory_id, m.customer_category_id) desc, m.id limit 1
) m on true
where q.status = 4 and l.n >= q.current_level and (s.value ->> 'mode' = 'ALL' or jsonb_array_length(coalesce(s.value -> 'approvedBy', '[]'::jsonb)) = 0);

-- Who can give each of these words: named, within his territories, holding the permission, and not the maker unless makers may decide their own.
create view approval_voice as
select row_number() over (order by s.id, a.user_id) as id, s.id as approval_step_id, a.user_id
from approval_step s
join approver a on a.kind = s.approver_kind and (a.ref = s.approver_ref)
join app_user u on u.id = a.user_id
where (u.id <> s.requested_by or coalesce((select o.flag from setting_oms o where o.key = 'allow_self_approval' and o.operating_unit_id is null), false))
  and (not u.territory_scope or s.territory_id is null or exists (select 1 from user_territory ut where ut.user_id = u.id and ut.territory_id = s.territory_id))
  and (not exists (select 1 from permission p where p.guard_name = replace(s.doc_type, '_', '-') || '-approve')
    or exists (select 1 from role_permission h where h.role_id = u.role_id and h.guard_name = replace(s.doc_type, '_', '-') || '-approve'));

-- Who can give others back what they need: the permission, and the screens that use it in his menu.
create view administrator as
select row_number() over (order by n.guard_name, u.id) as id, n.guard_name, u.id as user_id
from (values ('user-edit', array['/setting/user']), ('role-edit', array['/setting/role']), ('role-menu-edit', array['/setting/role-menu']), ('menu-edit', array['/setting/menu'])) n(guard_name, urls)
join app_user u on u.is_active and u.password_hash is not null
join role r on r.id = u.role_id and r.is_active
join role_permission p on p.role_id = r.id and p.guard_name = n.guard_name
where (select count(distinct m.url) from role_menu rm join menu m on m.id = rm.menu_id and m.is_active join menu up on up.id = m.parent_id and up.is_active
  where rm.role_id = r.id and rm.can_view and m.url = any(n.urls)) = cardinality(n.urls);
